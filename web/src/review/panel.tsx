// The button that begins a review, its progress, and who made the finished one.
import { Button } from "../button.tsx";
import type { Where } from "../device/use-where.ts";
import { WhereSwitch } from "../device/where.tsx";
import { Icon } from "../icons.tsx";
import type { Reviewing } from "./use-review.ts";
import { madeHereWords, madeWords, progressWords } from "./words.ts";

interface ProgressProps {
  /** The review by the site. */
  reviewing: Reviewing;
  /** The review by this device. */
  own: Reviewing;
  where: Where;
  /** Whether the evaluation of the shown position is switched on. */
  evaluates: boolean;
}

export function ReviewProgress({ reviewing, own, where, evaluates }: ProgressProps) {
  const { state, begin } = reviewing;
  if (!state) return null;
  const { kept, better, trouble } = state;
  if (state.state === "waiting" || state.state === "running") return <Running reviewing={reviewing} words={progressWords(state)} note="You may leave this page; the review continues." />;
  if (own.state?.state === "running") {
    return <Running reviewing={own} words={`${progressWords(own.state)}, on this device`} note={where.progress || "Keep this page open until the review is complete."} />;
  }
  const isHere = where.by === "device";
  const isMissing = !kept && !(isHere && own.review);
  return (
    <div class="review-progress" role="group" aria-label="Review">
      {(isMissing || evaluates) && <WhereSwitch where={where} name="Evaluation" />}
      {isMissing && where.by && (
        <Button class="button primary" onClick={isHere ? own.begin : begin}>
          <Icon name="chart" /> Review this game
        </Button>
      )}
      {kept ? <small>{madeWords(kept)}</small> : own.review && <small>{madeHereWords(own.review)}</small>}
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

function Running({ reviewing: { state, cancel }, words, note }: { reviewing: Reviewing; words: string; note: string }) {
  return (
    <div class="review-progress" role="group" aria-label="Review">
      <label>
        <span role="status">{words}</span>
        <progress max={state?.total || 1} {...(state?.state === "running" ? { value: state.done } : {})} />
      </label>
      {state?.yours && (
        <Button class="button small" onClick={cancel}>
          Cancel
        </Button>
      )}
      <small>{note}</small>
    </div>
  );
}
