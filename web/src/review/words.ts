// The sentences of reviews. Pure functions.
import type { MoveInfo, ReviewMade, ReviewState, ReviewedPosition } from "../api.gen.ts";
import { lossOf } from "../chances.ts";
import type { Mark } from "../game/judgement.ts";
import { rowsOf } from "../game/words.ts";

/** Name a place in a queue: `1st`, `2nd`, `23rd`. */
export function ordinal(number: number): string {
  const teen = number % 100 > 10 && number % 100 < 14;
  const ending = teen ? "th" : (["th", "st", "nd", "rd"][number % 10] ?? "th");
  return `${number}${ending}`;
}

/** Describe a review that is being made. */
export function progressWords({ state, ahead, done, total, deeper }: ReviewState): string {
  if (state === "waiting") return ahead === 0 ? "Review: next in the queue" : `Review: ${ordinal(ahead + 1)} in the queue`;
  return deeper ? `Looking deeper: ${done} of ${total} positions` : `Review: ${done} of ${total} positions`;
}

/** Say who made a review. */
export function madeWords({ judge, visits, made }: ReviewMade): string {
  const by = visits ? `${judge}, ${visits} visits a position` : judge;
  return `Reviewed by ${by}, ${new Date(1000 * made).toLocaleDateString()}`;
}

/** Say that this device made a review. */
export function madeHereWords({ judge, visits }: Pick<ReviewMade, "judge" | "visits">): string {
  return `Reviewed on this device by ${judge}${visits ? `, ${visits} visits a position` : ""}. Only you see it.`;
}

const ERRORS = { inaccuracy: "an inaccuracy", mistake: "a mistake", blunder: "a blunder" } as const;

/** Judge a move in a sentence. */
export function markWords(move: string, mark: Mark | undefined, before: ReviewedPosition | undefined): string {
  if (!before || !before.bestMove) return "";
  if (!mark) return `${move} is a good move.`;
  if (mark.kind === "best") return `${move} is the best move.`;
  if (mark.kind === "only") return `${move} is the only good move.`;
  return `${move} is ${ERRORS[mark.kind]}: it lost ${lossOf(mark.loss)} of the win chance.`;
}

/** Name a move with its number: `12. Nf3` or `12… Nf6`. */
export function numbered(moves: MoveInfo[], index: number): string {
  const move = moves[index];
  const row = move && rowsOf(moves).find(({ cells }) => cells.includes(move));
  return row ? `${row.number}${move.player === 0 ? "." : "…"} ${move.text}` : "";
}
