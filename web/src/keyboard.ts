// Moves the keyboard focus when the focused element is removed: to a status or heading in the nearest part that remains.
import { useLayoutEffect } from "preact/hooks";
import type { RefObject } from "preact";

const PLACES = ['[role="status"]', "h1, h2"]; // in order of preference: a status tells the result of the last press

/** Restore lost focus within a page; `#content` takes the focus if no nearer element can. */
export function keepKeyboard(page: HTMLElement): void {
  let had: Element[] = []; // the focused element and its ancestors, innermost first
  addEventListener("focusin", (event) => {
    had = event.composedPath().filter((one) => one instanceof Element);
  });
  addEventListener("focusout", () => {
    // a click on empty space is a deliberate blur; a removed element is disconnected by the time of the microtask
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

/** Return the focus to the previously focused element when an overlay, such as a question, closes. */
export function useReturn(part: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const before = document.activeElement;
    return () => {
      // runs before the overlay is removed; focus that has moved outside it is left alone
      if (!part.current?.contains(document.activeElement)) return;
      if (before instanceof HTMLElement || before instanceof SVGElement) before.focus({ preventScroll: true });
    };
  }, []);
}

function isNowhere(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

/** Return the preferred visible element of the innermost part that has one. */
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
