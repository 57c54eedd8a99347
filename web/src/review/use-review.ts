// The hook for the review of a finished game: its progress, the finished review, and requests to begin or cancel it.
import { useEffect, useState } from "preact/hooks";
import { useGone } from "../answer.ts";
import type { Review, ReviewState, WishReview } from "../api.gen.ts";
import { asError } from "../notice.ts";
import type { OnNotice } from "../notice.ts";
import { beginReview, cancelReview, review, reviewState } from "../people.ts";
import { poll } from "../polled.ts";

export interface Reviewing {
  /** Null until the site has answered. */
  state: ReviewState | null;
  review: Review | null;
  begin: () => void;
  cancel: () => void;
}

const EVERY_MS = 1000;

/** Follow the site's review `key`. */
export function useReview(key: string, wish: WishReview, onNotice: OnNotice): Reviewing {
  const [state, setState] = useState<ReviewState | null>(null);
  const [found, setFound] = useState<Review | null>(null);
  const gone = useGone();
  const made = state?.kept?.made;
  const busy = state?.state === "waiting" || state?.state === "running";
  const ask = (request: () => Promise<ReviewState>) => {
    request().then(
      (answer) => gone.current || setState(answer),
      (error: unknown) => gone.current || onNotice(asError(error)),
    );
  };
  const begin = () => ask(() => beginReview(wish));
  useEffect(() => {
    if (!key) return;
    if (busy) return poll(() => reviewState(key), EVERY_MS, setState, () => {}); // a failed request is repeated
    if (state === null) {
      ask(() => reviewState(key));
    }
  }, [key, busy]);
  useEffect(() => {
    if (made === undefined) return;
    review(key).then(
      (answer) => gone.current || setFound(answer),
      (error: unknown) => gone.current || onNotice(asError(error)),
    );
  }, [key, made]);
  return { state, review: found, begin, cancel: () => ask(() => cancelReview(key)) };
}
