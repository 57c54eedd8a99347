// Finds the cell that an arrow key leads to, on a board of any shape.
import type { Board } from "../api.gen.ts";
import { layoutOf, spotOf } from "./geometry.ts";
import type { Cell, DrawnCell } from "./geometry.ts";

/** The direction of each arrow key: rows down, columns to the right. */
export const ARROWS: Record<string, Cell> = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

const ASIDE = 1.5; // how much a distance across the direction counts, compared with one along it
const CONE = 0.9; // how far aside a cell may be, compared with along, to be in the direction of a key
const EQUAL = 1; // difference of distances, in drawing units, that is no difference

/** Return the nearest cell in a direction, of the board or of a tray, or one beside it; null if there is none. */
export function neighbour(board: Board, from: Cell, step: Cell): Cell | null {
  return nearest(board, from, step, CONE) ?? nearest(board, from, step, Infinity);
}

function nearest(board: Board, from: Cell, [down, right]: Cell, cone: number): Cell | null {
  const { x, y } = spotOf(board, from);
  const { cells, trays } = layoutOf(board);
  let best: DrawnCell | null = null;
  let least = Infinity;
  for (const spot of [...cells, ...trays]) {
    const along = (spot.x - x) * right + (spot.y - y) * down;
    const aside = Math.abs((spot.x - x) * down) + Math.abs((spot.y - y) * right);
    if (along <= EQUAL || aside > cone * along) continue;
    const distance = along + ASIDE * aside;
    // of two hexagons that are equally near, take turns from row to row, so that the way up and down stays straight
    const equal = best && Math.abs(distance - least) <= EQUAL;
    if (equal ? (from[0] % 2 === 0) === (spot.x > (best?.x ?? 0)) : distance < least) [best, least] = [spot, distance];
  }
  return best?.at ?? null;
}
