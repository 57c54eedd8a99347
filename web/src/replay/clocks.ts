// The clocks of a finished game at each position. Pure functions.
import type { ClockInfo, GameSummary, MoveInfo, ReplayMove } from "../api.gen.ts";

type Clocks = MoveInfo["clocks"];

/** Return the remaining milliseconds of both sides after a move. */
export function clocksAfter({ timeLeft }: ReplayMove): Clocks {
  const [first, second] = timeLeft ?? [null, null];
  return first === null || second === null ? null : [1000 * first, 1000 * second];
}

/** Return the clocks that a replay shows; null if none were recorded. */
export function clockAt(game: GameSummary, moves: MoveInfo[], ply: number): ClockInfo | null {
  const left = clocksAt(moves, ply);
  if (!left) return null;
  const [seconds, periods, count] = game.overtime ?? [0, 0, 0];
  const overtime = game.overtime ? { period: 1000 * seconds, periods, moves: count, left: [periods, periods] as [number, number], played: [0, 0] as [number, number] } : null;
  return { left, running: null, initial: 0, increment: 0, overtime };
}

/** Return the clocks at a ply, as recorded after the previous move; null if none were recorded. */
export function clocksAt(moves: MoveInfo[], ply: number): Clocks {
  const [first] = moves;
  const last = moves.filter((move) => move.ply <= ply).pop();
  if (last || !first?.clocks) return last?.clocks ?? null;
  const begin = first.clocks[first.player === 0 ? 1 : 0]; // clocks do not run before the first move
  return [begin, begin];
}
