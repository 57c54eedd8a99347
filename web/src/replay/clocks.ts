// What the clocks of a finished game showed at a position; pure, so that it can be tested.
import type { MoveInfo, ReplayMove } from "../api.gen.ts";

type Clocks = MoveInfo["clocks"];

/** The milliseconds of both sides after a move. */
export function clocksAfter({ timeLeft }: ReplayMove): Clocks {
  const [first, second] = timeLeft ?? [null, null];
  return first === null || second === null ? null : [1000 * first, 1000 * second];
}

/** Those at a ply, as they were after the move before it; null where none were kept. */
export function clocksAt(moves: MoveInfo[], ply: number): Clocks {
  const [first] = moves;
  const last = moves.filter((move) => move.ply <= ply).pop();
  if (last || !first?.clocks) return last?.clocks ?? null;
  const begin = first.clocks[first.player === 0 ? 1 : 0]; // clocks stand until the first move is made
  return [begin, begin];
}
