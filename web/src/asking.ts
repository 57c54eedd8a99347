// A question in place of the button that asks it: the keyboard goes to the answer that changes nothing, and then back.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { RefObject } from "preact";

interface Asking {
  asking: boolean;
  ask: (whether: boolean) => void;
  /** The button that asks. */
  button: RefObject<HTMLButtonElement | null>;
  /** The answer that changes nothing. */
  harmless: RefObject<HTMLButtonElement | null>;
}

export function useAsking(): Asking {
  const [asking, ask] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const harmless = useRef<HTMLButtonElement>(null);
  const asked = useRef(false);
  useLayoutEffect(() => {
    if (asking) harmless.current?.focus();
    // the answer that had the keyboard is gone
    else if (asked.current && document.activeElement === document.body) button.current?.focus();
    asked.current = asking;
  }, [asking]);
  return { asking, ask, button, harmless };
}
