// What a clock shows: the main time or the present period, and the periods and moves that are left. Pure functions.
import type { ClockInfo } from "../api.gen.ts";
import { counted } from "./words.ts";

const LOW_MS = 10_000;
const DAY_MS = 86_400_000;

/** What a player's clock shows. */
export interface Face {
  /** Milliseconds of the main time or of the present period. */
  left: number;
  /** Periods that are left, with the present one; 0 without overtime. */
  periods: number;
  /** Moves to play in the present period; 0: the main time runs. */
  moves: number;
  /** Whether the time is nearly used up. */
  low: boolean;
}

/** Return the milliseconds until a player's flag falls, `after` milliseconds after the clock's state arrived. */
export function timeLeft(clock: ClockInfo, player: number, after: number): number {
  const told = clock.left[player === 1 ? 1 : 0] ?? 0;
  return Math.max(0, told - (clock.running === player ? Math.max(0, after) : 0));
}

export function faceOf(clock: ClockInfo, player: number, after: number): Face {
  const whole = timeLeft(clock, player, after);
  const { overtime } = clock;
  if (!overtime) return { left: whole, periods: 0, moves: 0, low: whole < LOW_MS };
  const side = player === 1 ? 1 : 0;
  const periods = Math.min(overtime.left[side], Math.ceil(whole / overtime.period));
  const main = whole - periods * overtime.period;
  if (main > 0) return { left: main, periods, moves: 0, low: false };
  const played = periods === overtime.left[side] ? overtime.played[side] : 0;
  const left = Math.max(0, whole - Math.max(0, periods - 1) * overtime.period);
  return { left, periods, moves: overtime.moves - played, low: left < Math.min(LOW_MS, Math.max(3000, overtime.period / 3)) };
}

/** Whether a game is played over days. */
export const isOverDays = ({ overtime }: ClockInfo): boolean => (overtime?.period ?? 0) >= DAY_MS;

/** Format a time as `3:07`, as `9.4` in the last ten seconds, or as `2 days 5 h`. */
export function timeText(left: number): string {
  if (left >= DAY_MS) {
    const hours = Math.floor(left / 3_600_000);
    const days = Math.floor(hours / 24);
    return `${counted(days, "day")} ${hours % 24} h`;
  }
  if (left < LOW_MS) return (Math.floor(left / 100) / 10).toFixed(1);
  const seconds = Math.ceil(left / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (value: number) => String(value).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** Describe the overtime beside the time: `+ 5 × 0:30`, `4 periods left`, `12 moves to go`; empty without overtime. */
export function overtimeText(clock: ClockInfo, face: Face): string {
  const { overtime } = clock;
  if (!overtime || isOverDays(clock)) return "";
  if (face.moves === 0) {
    return overtime.moves > 1 ? `+ ${counted(overtime.moves, "move")} in ${timeText(overtime.period)}` : `+ ${face.periods} × ${timeText(overtime.period)}`;
  }
  return overtime.moves > 1 ? `${counted(face.moves, "move")} to go` : face.periods === 1 ? "last period" : `${face.periods} periods`;
}
