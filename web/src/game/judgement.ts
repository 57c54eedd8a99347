// Which moves cost much, by what the engine says before and after them; pure, so that it can be tested.
import type { MoveInfo } from "../api.gen.ts";

export interface Judgement {
  kind: "inaccuracy" | "mistake" | "blunder";
  /** As annotators write it. */
  sign: string;
  /** What the move lost, of values from -1 to 1. */
  loss: number;
}

// A tenth, a fifth and three tenths of a whole point: values from -1 to 1 are two points wide for one point won.
const KINDS = [
  { least: 0.6, kind: "blunder", sign: "??" },
  { least: 0.4, kind: "mistake", sign: "?" },
  { least: 0.2, kind: "inaccuracy", sign: "?!" },
] as const;

/** The moves that cost something, by their ply; `values` are by ply, seen by player 0. */
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

/** What to say of a move of `player` that led from one value to another. */
export function verdict(from: number | null | undefined, to: number | null | undefined, player: number): Judgement | null {
  if (typeof from !== "number" || typeof to !== "number") return null;
  const loss = player === 0 ? from - to : to - from;
  const fits = KINDS.find(({ least }) => loss >= least - 1e-9);
  return fits ? { kind: fits.kind, sign: fits.sign, loss } : null;
}

/** How often each player erred: `{ inaccuracy: [2, 0], ... }`. */
export function tally(moves: MoveInfo[], judged: Map<number, Judgement>): Record<Judgement["kind"], [number, number]> {
  const counts: Record<Judgement["kind"], [number, number]> = { inaccuracy: [0, 0], mistake: [0, 0], blunder: [0, 0] };
  for (const { ply, player } of moves) {
    const one = judged.get(ply);
    if (one) counts[one.kind][player === 1 ? 1 : 0] += 1;
  }
  return counts;
}
