// Calls that come in a row, as steps do while a key is held: the first runs at once, then only the one at which the row pauses.
import { useEffect, useState } from "preact/hooks";

const PAUSE_MS = 150; // a held key repeats faster, and nobody feels it as a wait

export interface Pace {
  run: (call: () => void) => void;
  /** Run the call that waits now. */
  flush: () => void;
  /** Drop the call that waits. */
  forget: () => void;
}

export function paced(pauseMs = PAUSE_MS): Pace {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waiting: (() => void) | null = null;
  const flush = () => {
    const call = waiting;
    waiting = null;
    call?.();
  };
  const pause = () => {
    timer = undefined;
    flush();
  };
  const run = (call: () => void) => {
    const first = timer === undefined;
    clearTimeout(timer);
    timer = setTimeout(pause, pauseMs);
    waiting = first ? null : call;
    if (first) call();
  };
  return { run, flush, forget: () => (waiting = null) };
}

/** A row of calls that ends with the part of the page that makes them. */
export function usePace(): Pace {
  const [pace] = useState(() => paced());
  useEffect(() => pace.forget, [pace]);
  return pace;
}
