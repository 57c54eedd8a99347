// What a review says about the position on the board: the last move, and the judge's best lines to click through.
import type { GameState } from "../api.gen.ts";
import { evaluationWords } from "../chances.ts";
import { Slips } from "../game/evaluation.tsx";
import { numberAt, playerOf } from "../game/words.ts";
import { BestLine } from "../study/engine-lines.tsx";
import { mistakesOf } from "./accuracy.ts";
import type { Reviewed } from "./use-reviewed.ts";
import type { Lined } from "./use-line.ts";
import { markWords, numbered } from "./words.ts";

interface InsightProps {
  state: GameState;
  reviewed: Reviewed;
  /** The ply on the board, or the one where the shown line begins. */
  ply: number;
  lined: Lined;
}

export function Insight({ state, reviewed, ply, lined }: InsightProps) {
  const { moves } = state;
  const { positions, marks } = reviewed;
  const number = numberAt(moves, ply);
  const position = positions[number];
  const before = positions[number - 1];
  const move = moves[number - 1];
  const mark = move && marks.get(move.ply);
  const isError = mark && mark.kind !== "best" && mark.kind !== "only";
  const [best] = before?.lines ?? [];
  const toPlay = moves[number]?.player ?? (move ? 1 - move.player : 0);
  const { line } = lined;
  const names = [0, 1].map((side) => playerOf(state, side).name);
  return (
    <div class="insight" role="group" aria-label="Judge">
      {line && (
        <p class="in-line">
          <span role="status">
            Line: move {line.at} of {line.moves.length}
          </span>
          <button type="button" class="button small" onClick={lined.leave}>
            Back to the game
          </button>
        </p>
      )}
      {!line && move && (
        <p aria-live="polite">
          {markWords(numbered(moves, number - 1), mark, before)}{" "}
          {isError && best && (
            <>
              Best was{" "}
              <button type="button" class="move" onClick={() => lined.show(number - 1, best.moves, 1)}>
                {best.moves[0]}
              </button>
            </>
          )}
        </p>
      )}
      {!line && position && (
        <p class="quiet-note">
          {evaluationWords(names, null, position.evaluation, position.lead, position.lines[0]?.winsIn)}
        </p>
      )}
      {position && position.lines.length > 0 && (
        <ol class="engine-lines" aria-label="Best lines">
          {position.lines.map((one, index) => (
            <BestLine
              key={index}
              evaluation={one.evaluation}
              words={one.words}
              side={toPlay}
              title={`Win chance of ${playerOf(state, toPlay).name}; ${one.visits} visits`}
              moves={one.moves}
              at={line?.after === number && line.moves === one.moves ? line.at : 0}
              onPlay={(count) => lined.show(number, one.moves, count)}
            />
          ))}
        </ol>
      )}
    </div>
  );
}

interface AccuracyProps {
  state: GameState;
  reviewed: Reviewed;
  /** Called with the numbers of moves before the mistakes of a side. */
  onLearn: (mistakes: number[]) => void;
}

/** The accuracy and the errors of both sides, with buttons to learn from the mistakes. */
export function Accuracy({ state, reviewed: { accuracy, errors, marks }, onLearn }: AccuracyProps) {
  const learns = ([0, 1] as const).map((side) => ({ side, mistakes: mistakesOf(state.moves, marks, side) })).filter(({ mistakes }) => mistakes.length);
  return (
    <div class="review-summary">
      <Slips state={state} judged={errors} accuracy={accuracy} />
      {learns.length > 0 && (
        <p class="learns">
          <span>Learn from mistakes</span>
          {learns.map(({ side, mistakes }) => (
            <button key={side} type="button" class="button small" aria-label={`Learn from the mistakes of ${playerOf(state, side).name}`} onClick={() => onLearn(mistakes)}>
              {playerOf(state, side).name}
            </button>
          ))}
        </p>
      )}
    </div>
  );
}
