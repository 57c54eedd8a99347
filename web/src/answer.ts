// What a page asks of the site as it opens: the answer, or why there is none, and another try; and whether anybody still waits for one.
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { SiteError } from "./api.ts";

export interface Answered<Answer> {
  /** Null until the site has answered; the one before while it is asked again. */
  found: Answer | null;
  error: Error | null;
  again: () => void;
}

/** `ask` is called now and when `changes` change; null: there is nothing to ask yet. */
export function useAnswer<Answer>(ask: () => Promise<Answer> | null, changes: unknown[]): Answered<Answer> {
  const [found, setFound] = useState<Answer | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let gone = false;
    setError(null);
    ask()?.then(
      (answer) => !gone && setFound(answer),
      (trouble: Error) => !gone && setError(trouble),
    );
    return () => {
      gone = true;
    };
  }, [...changes, attempt]);
  return { found, error, again: () => setAttempt((old) => old + 1) };
}

/** True as soon as this part of the page is gone: an answer that comes later must not lead anybody away from another. */
export function useGone(): RefObject<boolean> {
  const gone = useRef(false);
  useEffect(
    () => () => {
      gone.current = true;
    },
    [],
  );
  return gone;
}

const FOR_GOOD = [400, 404, 413]; // wrong, not there, too long

/** Whether there is no such thing, so that another try would end alike; other troubles pass. */
export function isForGood(error: Error): boolean {
  return error instanceof SiteError && FOR_GOOD.includes(error.status);
}
