// Which pieces are whose: those of a player's seat, unless the board says that players have changed colours, or still may.
import type { Board } from "../api.gen.ts";

/** The owner of a player's pieces; null while nobody has a colour yet. */
export function colourOf({ colours }: Pick<Board, "colours">, player: number): number | null {
  return colours[player === 1 ? 1 : 0];
}

/** The owner of the piece that a player puts on the board next. */
export function colourInHand(board: Pick<Board, "colours" | "next_colour">, player: number): number | null {
  return board.next_colour ?? colourOf(board, player);
}

/** Whose the pieces of an owner are; null while that is open. */
export function playerWith({ colours }: Pick<Board, "colours">, owner: number): number | null {
  const player = colours.indexOf(owner);
  return player < 0 ? null : player;
}
