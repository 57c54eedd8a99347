// Throttling of rapid calls, such as steps while a key is held: the first call runs at once, then only the last one before a pause.
import { useLayoutEffect, useState } from "preact/hooks";

const PAUSE_MS = 150; // longer than a held key's repeat interval, too short to be noticed

export interface Pace {
  run: (call: () => void) => void;
  /** Run the delayed call now. */
  flush: () => void;
  /** Drop the delayed call. */
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

/** Throttle the calls of a component; unmounting drops the delayed call. */
export function usePace(): Pace {
  const [pace] = useState(() => paced());
  useLayoutEffect(() => pace.forget, [pace]); // cleaned up at once, unlike other effects
  return pace;
}
