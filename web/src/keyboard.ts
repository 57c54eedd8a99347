// Where the keyboard goes when what had it leaves the page: to what the nearest part that stays says, or is called.
import { useLayoutEffect } from "preact/hooks";
import type { RefObject } from "preact";

const PLACES = ['[role="status"]', "h1, h2"]; // the first that is there: news are what a press has led to

/** Watch over the keyboard of a page, whose `#content` takes it where nothing nearer does. */
export function keepKeyboard(page: HTMLElement): void {
  let had: Element[] = []; // what has the keyboard, and all around it from the inside out
  addEventListener("focusin", (event) => {
    had = event.composedPath().filter((one) => one instanceof Element);
  });
  addEventListener("focusout", () => {
    // whoever clicks beside everything leaves by themselves; what is being removed is gone a moment later
    queueMicrotask(() => isNowhere() && had[0]?.isConnected && (had = []));
  });
  const watch = new MutationObserver(() => {
    if (!had.length || had[0]?.isConnected || !isNowhere()) return;
    const content = page.querySelector<HTMLElement>("#content");
    const parts = had.filter((one) => one.isConnected && content?.contains(one));
    had = [];
    const place = placeIn(parts) ?? content;
    if (!place) return;
    if (!place.hasAttribute("tabindex")) place.tabIndex = -1;
    place.focus({ preventScroll: true });
  });
  watch.observe(page, { childList: true, subtree: true });
}

/** What opens over the page, such as a question, returns the keyboard to whoever had it before. */
export function useReturn(part: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const before = document.activeElement;
    return () => {
      // its buttons are still there; whoever has gone elsewhere meanwhile stays there
      if (!part.current?.contains(document.activeElement)) return;
      if (before instanceof HTMLElement || before instanceof SVGElement) before.focus({ preventScroll: true });
    };
  }, []);
}

function isNowhere(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

/** The first place of the innermost part that has one to be seen. */
function placeIn(parts: Element[]): HTMLElement | undefined {
  const shown = (one: HTMLElement) => one.textContent.trim() !== "" && !one.closest(".visually-hidden");
  for (const part of parts) {
    for (const places of PLACES) {
      const found = [...part.querySelectorAll<HTMLElement>(places)].find(shown);
      if (found) return found;
    }
  }
  return undefined;
}
