// A list that scrolls keeps what is current in sight, also when it becomes shorter.
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";

/** `list` is positioned; `changes` are what the current item and the place of it depend on. */
export function useInView(list: RefObject<HTMLElement | null>, changes: unknown[]): void {
  const show = () => {
    const box = list.current;
    const shown = box?.querySelector<HTMLElement>("[aria-current]");
    if (!box || !shown) return;
    // scrollIntoView would also move the page under a phone's finger
    const top = shown.offsetTop; // from the list's own edge, since it is positioned
    if (top < box.scrollTop || top + shown.offsetHeight > box.scrollTop + box.clientHeight) {
      box.scrollTop = top - box.clientHeight / 2;
    }
  };
  useEffect(() => {
    show();
    if (!list.current) return;
    const observer = new ResizeObserver(show); // a graph, a result or another window leaves it less room
    observer.observe(list.current);
    return () => observer.disconnect();
  }, changes);
}
