// Classifies bad moves by the drop of the engine's evaluation. Pure functions.
import type { MoveInfo } from "../api.gen.ts";

export interface Judgement {
  kind: "inaccuracy" | "mistake" | "blunder";
  /** The annotation symbol: `?!`, `?` or `??`. */
  sign: string;
  /** How much the evaluation dropped for the player; evaluations range from -1 to 1. */
  loss: number;
}

/** A judgement in which good moves have signs too: the best move `✓`, the only good one `□`. */
export type Mark = Judgement | { kind: "best" | "only"; sign: string; loss: number };

/** The least loss of each kind of error: 10, 20 and 30 % of win chance, as evaluations from -1 to 1. */
export const LEAST = { inaccuracy: 0.2, mistake: 0.4, blunder: 0.6 } as const;

const KINDS = [
  { least: LEAST.blunder, kind: "blunder", sign: "??" },
  { least: LEAST.mistake, kind: "mistake", sign: "?" },
  { least: LEAST.inaccuracy, kind: "inaccuracy", sign: "?!" },
] as const;

/** Return the judgements of bad moves by ply; `values` are evaluations by ply from player 0's view. */
export function judge(moves: MoveInfo[], values: (number | null)[]): Map<number, Judgement> {
  const found = new Map<number, Judgement>();
  let before = 0;
  for (const { ply, player } of moves) {
    const one = verdict(values[before], values[ply], player);
    before = ply;
    if (one) found.set(ply, one);
  }
  return found;
}

/** Judge a move of `player` by the evaluations before and after it; null if it is not bad. */
export function verdict(from: number | null | undefined, to: number | null | undefined, player: number): Judgement | null {
  if (typeof from !== "number" || typeof to !== "number") return null;
  const loss = player === 0 ? from - to : to - from;
  const fits = KINDS.find(({ least }) => loss >= least - 1e-9);
  return fits ? { kind: fits.kind, sign: fits.sign, loss } : null;
}

/** Count the judgements of each player: `{ inaccuracy: [2, 0], ... }`. */
export function tally(moves: MoveInfo[], judged: Map<number, Judgement>): Record<Judgement["kind"], [number, number]> {
  const counts: Record<Judgement["kind"], [number, number]> = { inaccuracy: [0, 0], mistake: [0, 0], blunder: [0, 0] };
  for (const { ply, player } of moves) {
    const one = judged.get(ply);
    if (one) counts[one.kind][player === 1 ? 1 : 0] += 1;
  }
  return counts;
}
