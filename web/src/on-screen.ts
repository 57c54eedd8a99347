// Whether anybody can see a part of the page: what moves there may rest while nobody does.
import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";

/** Whether the part is in the window, and the window is not hidden. */
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
