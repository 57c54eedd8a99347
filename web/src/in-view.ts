// Keeps the current item of a scrolling list visible, also when the list is resized.
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";

/** Scroll `list`, a positioned element, to its current item; `changes` are the dependencies of the item and its location. */
export function useInView(list: RefObject<HTMLElement | null>, changes: unknown[]): void {
  const show = () => {
    const box = list.current;
    const shown = box?.querySelector<HTMLElement>("[aria-current]");
    if (!box || !shown) return;
    // scrollIntoView would also scroll the whole page on phones
    const top = shown.offsetTop; // relative to the list, since the list is positioned
    if (top < box.scrollTop || top + shown.offsetHeight > box.scrollTop + box.clientHeight) {
      box.scrollTop = top - box.clientHeight / 2;
    }
  };
  useEffect(() => {
    show();
    if (!list.current) return;
    const observer = new ResizeObserver(show); // a graph, a result or a smaller window shrinks the list
    observer.observe(list.current);
    return () => observer.disconnect();
  }, changes);
}
