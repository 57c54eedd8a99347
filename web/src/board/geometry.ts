// The geometry of a board in drawing units, where one cell is 100 wide.
import type { Board } from "../api.gen.ts";

export const PITCH = 100;
export const HALF = PITCH / 2;

export type Cell = readonly [row: number, column: number];

export interface Point {
  x: number;
  y: number;
}

/** The drawing's size and margins; the cells begin at (0, 0). */
export interface Frame {
  left: number;
  top: number;
  width: number;
  height: number;
  /** Space between two cells, where walls are drawn. */
  gap: number;
  /** Font size of the labels; 0 without labels. */
  letters: number;
}

/** Return the frame of a board; with `overhead`, a rack has room above it for the disc to be dropped. */
export function frame(board: Board, labels: boolean, overhead = false): Frame {
  const flat = board.style === "squares" || board.style === "checks";
  const rim = flat ? 6 : 22;
  const letters = labels ? Math.max(15, Math.min(40, 3.2 * Math.max(board.rows, board.columns))) : 0;
  const left = letters && board.row_labels.length ? 2 * letters + (flat ? 0 : rim) : rim;
  const bottom = letters && board.column_labels.length ? rim + 1.6 * letters : rim;
  const top = overhead && board.style === "drop" ? 92 : rim;
  return {
    left,
    top,
    width: left + board.columns * PITCH + rim,
    height: top + board.rows * PITCH + bottom,
    gap: board.style === "checks" ? 0 : 14,
    letters,
  };
}

export function viewBox(of: Frame): string {
  return `${-of.left} ${-of.top} ${of.width} ${of.height}`;
}

export function centre([row, column]: Cell): Point {
  return { x: (column + 0.5) * PITCH, y: (row + 0.5) * PITCH };
}

/** Return the middle of a cell's right or top side. */
export function sideCentre([row, column]: Cell, side: string): Point {
  return side === "right"
    ? { x: (column + 1) * PITCH, y: (row + 0.5) * PITCH }
    : { x: (column + 0.5) * PITCH, y: row * PITCH };
}

/** List every cell, row by row from the top. */
export function allCells({ rows, columns }: Pick<Board, "rows" | "columns">): Cell[] {
  return Array.from({ length: rows * columns }, (_, index) => [Math.floor(index / columns), index % columns]);
}

export function sameCell(a: Cell | null | undefined, b: Cell | null | undefined): boolean {
  return !!a && !!b && a[0] === b[0] && a[1] === b[1];
}

/** Return the spoken name of a cell: `b4` if the board has labels, else its row and column. */
export function cellName(board: Board, [row, column]: Cell): string {
  const letter = board.column_labels[column];
  const number = board.row_labels[row];
  if (letter && number) return letter + number;
  if (letter) return `column ${letter}, row ${board.rows - row} from below`;
  return `row ${row + 1}, column ${column + 1}`;
}
