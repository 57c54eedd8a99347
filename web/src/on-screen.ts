// Whether the tab or an element is visible, so that work can pause while it is not.
import type { RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";

/** Whether the element is inside the viewport and the browser tab is visible. */
export function useOnScreen(part: RefObject<Element | null>): boolean {
  const [inWindow, setInWindow] = useState(false);
  const isSeen = useSeen();
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => setInWindow(entries[entries.length - 1]?.isIntersecting ?? false));
    if (part.current) observer.observe(part.current);
    return () => observer.disconnect();
  }, []);
  return inWindow && isSeen;
}

/** Whether the browser tab is visible. */
export function useSeen(): boolean {
  const [isSeen, setSeen] = useState(!document.hidden);
  useEffect(() => {
    const onChange = () => setSeen(!document.hidden);
    document.addEventListener("visibilitychange", onChange);
    return () => document.removeEventListener("visibilitychange", onChange);
  }, []);
  return isSeen;
}
