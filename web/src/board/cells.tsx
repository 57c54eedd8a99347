// Draws the outline of one cell: a square, a hexagon or a hollow, for the ground and for everything that highlights a cell.
import type { JSX } from "preact";
import type { Board } from "../api.gen.ts";
import { PITCH, spotOf } from "./geometry.ts";
import type { Cell, DrawnCell } from "./geometry.ts";

type CellProps = {
  board: Board;
  at: Cell;
  /** Space between two cells. */
  gap: number;
} & Record<string, unknown>;

/** The shape of a cell; further attributes are those of the element. */
export function CellShape({ board, at, gap, ...rest }: CellProps): JSX.Element {
  const spot = spotOf(board, at);
  const { x, y } = spot;
  if (isHexagon(board, at)) return <polygon {...rest} points={corners(spot, 1 - 0.5 * (gap / PITCH))} />;
  const [width, height] = [spot.width - gap, spot.height - gap];
  const rx = isPit(board, at) ? Math.min(width, height) / 2 : gap && 9;
  return <rect {...rest} x={x - width / 2} y={y - height / 2} width={width} height={height} rx={rx} />;
}

export function isOnBoard(board: Board, [row]: Cell): boolean {
  return row >= 0 && row < board.rows;
}

/** Whether a cell is drawn as a hollow in which pieces lie in a heap. */
export function isPit(board: Board, at: Cell): boolean {
  return board.style === "pits" && isOnBoard(board, at);
}

function isHexagon(board: Board, at: Cell): boolean {
  return board.style === "hexagons" && isOnBoard(board, at);
}

/** Return the corners of a hexagon, scaled about its centre. */
function corners({ x, y, width }: DrawnCell, scale: number): string {
  const radius = (width / Math.sqrt(3)) * scale;
  return [30, 90, 150, 210, 270, 330]
    .map((degrees) => (degrees * Math.PI) / 180)
    .map((angle) => `${(x + radius * Math.cos(angle)).toFixed(1)},${(y + radius * Math.sin(angle)).toFixed(1)}`)
    .join(" ");
}
