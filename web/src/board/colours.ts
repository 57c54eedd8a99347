// The colours of both sides, and which player has which; a swap in the opening may change that.
import type { Board } from "../api.gen.ts";

/** Return the colour of a player's pieces; null while it is not chosen. */
export function colourOf({ colours }: Pick<Board, "colours">, player: number): number | null {
  return colours[player === 1 ? 1 : 0];
}

/** Return the colour of the piece that a player puts on the board next. */
export function colourInHand(board: Pick<Board, "colours" | "next_colour">, player: number): number | null {
  return board.next_colour ?? colourOf(board, player);
}

/** Return the player with a colour; null while it is not chosen. */
export function playerWith({ colours }: Pick<Board, "colours">, owner: number): number | null {
  const player = colours.indexOf(owner);
  return player < 0 ? null : player;
}

/** Return the style of an element in which both sides have the colours of a board. */
export function sidesOf({ paints }: Pick<Board, "paints">): Record<string, string> {
  const style: Record<string, string> = {};
  paints.forEach((colour, owner) => {
    for (const shade of ["", "-deep", "-ink", "-line", "-shine"]) style[`--p${owner}${shade}`] = `var(--${colour}${shade})`;
  });
  return style;
}
