// The button that begins a review, its progress, and who made the finished one.
import { Button } from "../button.tsx";
import { Icon } from "../icons.tsx";
import type { Reviewing } from "./use-review.ts";
import { madeWords, progressWords } from "./words.ts";

export function ReviewProgress({ reviewing }: { reviewing: Reviewing }) {
  const { state, begin, cancel } = reviewing;
  if (!state) return null;
  const { kept, better, trouble } = state;
  if (state.state === "waiting" || state.state === "running") {
    const words = progressWords(state);
    return (
      <div class="review-progress" role="group" aria-label="Review">
        <label>
          <span role="status">{words}</span>
          <progress max={state.total} {...(state.state === "running" ? { value: state.done } : {})} />
        </label>
        {state.yours && (
          <Button class="button small" onClick={cancel}>
            Cancel
          </Button>
        )}
        <small>You may leave this page; the review continues.</small>
      </div>
    );
  }
  return (
    <div class="review-progress" role="group" aria-label="Review">
      {!kept && (
        <Button class="button primary" onClick={begin}>
          <Icon name="chart" /> Review this game
        </Button>
      )}
      {kept && <small>{madeWords(kept)}</small>}
      {better && (
        <Button class="button small" onClick={begin}>
          Review again with {better}
        </Button>
      )}
      {trouble && (
        <p class="fault" role="status">
          {trouble}
        </p>
      )}
    </div>
  );
}
