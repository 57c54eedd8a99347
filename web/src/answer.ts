// Hooks for requests that a page makes when it opens: their answer, error and retry, and whether the page is still shown.
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { SiteError } from "./api.ts";

export interface Answered<Answer> {
  /** Null until the site has answered; the previous answer during another request. */
  found: Answer | null;
  error: Error | null;
  again: () => void;
}

/** Call `ask` on mount and whenever `changes` change; `ask` returns null while there is no request to make. */
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

/** True once this component is unmounted: a late answer must not navigate away from another page. */
export function useGone(): RefObject<boolean> {
  const gone = useRef(false);
  // a layout effect: Preact delays the cleanup of others until after the next frame
  useLayoutEffect(
    () => () => {
      gone.current = true;
    },
    [],
  );
  return gone;
}

const FOR_GOOD = [400, 404, 413]; // bad request, not found, too large

/** Whether a retry of the request would fail the same way. */
export function isForGood(error: Error): boolean {
  return error instanceof SiteError && FOR_GOOD.includes(error.status);
}
