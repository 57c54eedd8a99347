// A confirmation that replaces its button: focus goes to the answer that changes nothing, and back to the button afterwards.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { RefObject } from "preact";

interface Asking {
  asking: boolean;
  ask: (whether: boolean) => void;
  /** The button that opens the confirmation. */
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
    // the answer that had the focus has been removed
    else if (asked.current && document.activeElement === document.body) button.current?.focus();
    asked.current = asking;
  }, [asking]);
  return { asking, ask, button, harmless };
}
