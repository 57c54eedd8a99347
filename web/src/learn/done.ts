// Whether the goal of a lesson's part is reached. Pure function.
import type { MoveInfo } from "../api.gen.ts";

/** Whether the moves after the ply `from`, with blanks between them, match the regular expression `done`. */
export function isDone(done: string, moves: MoveInfo[], from: number): boolean {
  const played = moves.filter(({ ply }) => ply > from).map(({ text }) => text);
  return played.length > 0 && new RegExp(`^(?:${done})$`).test(played.join(" "));
}
