// The accuracy of both sides and the marks of all moves, from a judge's review. Pure functions.
import type { MoveInfo, ReviewedPosition } from "../api.gen.ts";
import { LEAST, verdict } from "../game/judgement.ts";
import type { Judgement, Mark } from "../game/judgement.ts";

/** Return values and leads by ply, from player 0's view; null in the middle of a move and where the review has none. */
export function byPly(moves: Pick<MoveInfo, "ply">[], positions: Pick<ReviewedPosition, "evaluation" | "lead">[], plies: number) {
  const values: (number | null)[] = Array.from({ length: plies + 1 }, () => null);
  const leads = [...values];
  positions.forEach(({ evaluation, lead }, number) => {
    const ply = number === 0 ? 0 : moves[number - 1]?.ply;
    if (ply !== undefined) [values[ply], leads[ply]] = [evaluation, lead];
  });
  return { values, leads };
}

/** Mark the moves by ply: errors by the loss of win chance, and moves that the judge would play; the latter are never errors. */
export function marksOf(moves: MoveInfo[], positions: ReviewedPosition[]): Map<number, Mark> {
  const found = new Map<number, Mark>();
  moves.forEach(({ ply, player, text }, number) => {
    const before = positions[number];
    if (!before) return;
    const one = text === before.bestMove ? praise(before, player) : verdict(before.evaluation, positions[number + 1]?.evaluation, player);
    if (one) found.set(ply, one);
  });
  return found;
}

function praise({ lines }: ReviewedPosition, player: number): Mark {
  const [best, second] = lines;
  // a position with one line may have only one legal move, which is no achievement
  const lost = best && second ? (player === 0 ? 1 : -1) * (best.evaluation - second.evaluation) : 0;
  return lost >= LEAST.mistake ? { kind: "only", sign: "□", loss: 0 } : { kind: "best", sign: "✓", loss: 0 };
}

/** Return the errors among the marks. */
export function errorsIn(marks: Map<number, Mark>): Map<number, Judgement> {
  return new Map([...marks].filter((entry): entry is [number, Judgement] => entry[1].kind !== "best" && entry[1].kind !== "only"));
}

// the curve with which lichess.org converts a loss of win chance to the accuracy of a move; a loss of 10 % gives 64 %
const [SCALE, DECAY, BASE] = [103.16681, -0.043544154, -3.1669247];

/** Return the accuracy of a move in per cent, from its player's win chances before and after it in per cent. */
export function accuracyOfMove(before: number, after: number): number {
  return within(0, 100, SCALE * Math.exp(DECAY * Math.max(0, before - after)) + BASE);
}

/**
 * Return the accuracy of both sides in per cent; null for a side without judged moves.
 *
 * It is the mean of two means of the moves' accuracies, as on lichess.org: one weighted by how much the win chance changes
 * around the move, so that moves of a decided game count little, and the harmonic one, which one bad move lowers much.
 */
export function accuracyOf(moves: MoveInfo[], positions: ReviewedPosition[]): [number | null, number | null] {
  const chances = positions.map(({ evaluation }) => 50 + 50 * evaluation); // of player 0
  const size = Math.round(within(2, 8, moves.length / 10));
  const judged = moves.flatMap(({ player, text }, number) => {
    const [before, after] = [chances[number], chances[number + 1]];
    if (before === undefined || after === undefined) return [];
    const isBest = text === positions[number]?.bestMove; // a later search may disagree with an earlier one
    const accuracy = isBest ? 100 : player === 0 ? accuracyOfMove(before, after) : accuracyOfMove(100 - before, 100 - after);
    const around = chances.slice(Math.max(0, number + 2 - size), Math.max(size, number + 2));
    return [{ player, accuracy, weight: within(0.5, 12, deviation(around)) }];
  });
  const of = (side: number) => {
    const own = judged.filter(({ player }) => player === side);
    if (!own.length) return null;
    const weights = own.reduce((sum, { weight }) => sum + weight, 0);
    const weighted = own.reduce((sum, { accuracy, weight }) => sum + accuracy * weight, 0) / weights;
    const harmonic = own.length / own.reduce((sum, { accuracy }) => sum + 1 / Math.max(1, accuracy), 0);
    return (weighted + harmonic) / 2;
  };
  return [of(0), of(1)];
}

const within = (low: number, high: number, value: number) => Math.min(high, Math.max(low, value));

function deviation(values: number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}

/** List the numbers of moves before the mistakes and blunders of a side. */
export function mistakesOf(moves: MoveInfo[], marks: Map<number, Mark>, side: number): number[] {
  return moves.flatMap(({ ply, player }, number) => {
    const kind = marks.get(ply)?.kind;
    return player === side && (kind === "mistake" || kind === "blunder") ? [number] : [];
  });
}
