// Whether an element is visible, so that its animation can pause while it is not.
import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";

/** Whether the element is inside the viewport and the browser tab is visible. */
export function useOnScreen(part: RefObject<Element | null>): boolean {
  const [inWindow, setInWindow] = useState(false);
  const [hidden, setHidden] = useState(document.hidden);
  useEffect(() => {
    const onChange = () => setHidden(document.hidden);
    document.addEventListener("visibilitychange", onChange);
    const observer = new IntersectionObserver((entries) => setInWindow(entries[entries.length - 1]?.isIntersecting ?? false));
    if (part.current) observer.observe(part.current);
    return () => {
      document.removeEventListener("visibilitychange", onChange);
      observer.disconnect();
    };
  }, []);
  return inWindow && !hidden;
}
