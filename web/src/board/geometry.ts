// The geometry of a board in drawing units, where one cell is 100 wide: where each cell is, and which one is at a point.
import type { Board } from "../api.gen.ts";

export const PITCH = 100;
export const HALF = PITCH / 2;
const ROW = Math.sqrt(0.75); // distance of two rows of hexagons, in their width
const TRAY_GAP = 26; // between the board and a tray
const LABEL_GAP = 62; // the same, where the labels of the columns are between them

export type Cell = readonly [row: number, column: number];

export interface Point {
  x: number;
  y: number;
}

/** A cell as drawn: its centre and its size. */
export interface DrawnCell extends Point {
  at: Cell;
  width: number;
  height: number;
}

export interface Layout {
  /** The cells of the board, row by row from the top. */
  cells: DrawnCell[];
  /** The cells of the trays above and below the board. */
  trays: DrawnCell[];
  byCell: Map<string, DrawnCell>;
  /** The box around the cells, without the trays. */
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The drawing's size and margins around the point (0, 0), where the cells of a rectangle begin. */
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

type Sized = Pick<Board, "rows" | "columns" | "style" | "cells" | "trays" | "column_labels">;

const layouts = new WeakMap<Sized, Layout>();

/** Return where the cells of a board are drawn. */
export function layoutOf(board: Sized): Layout {
  let layout = layouts.get(board);
  if (!layout) {
    layout = newLayout(board);
    layouts.set(board, layout);
  }
  return layout;
}

function newLayout(board: Sized): Layout {
  const cells = placesOf(board).map(({ at, centre, size: [height, width] }): DrawnCell => {
    const [row, column] = centre ?? at;
    const hexagon = board.style === "hexagons" && !centre;
    const [x, y] = hexagon ? [column + row / 2 + 0.5, row * ROW + 0.5] : [column + 0.5, row + 0.5];
    return { at, x: x * PITCH, y: y * PITCH, width: width * PITCH, height: height * PITCH };
  });
  if (!cells.length) return { cells, trays: [], byCell: new Map(), left: 0, top: 0, right: 0, bottom: 0 };
  const taller = board.style === "hexagons" ? 2 / Math.sqrt(3) : 1;
  const left = Math.min(...cells.map(({ x, width }) => x - width / 2));
  const right = Math.max(...cells.map(({ x, width }) => x + width / 2));
  const top = Math.min(...cells.map(({ y, height }) => y - (taller * height) / 2));
  const bottom = Math.max(...cells.map(({ y, height }) => y + (taller * height) / 2));
  const below = bottom + (board.column_labels.length ? LABEL_GAP : TRAY_GAP);
  const trays = [-1, board.rows].flatMap((row) =>
    Array.from({ length: board.trays }, (_, column): DrawnCell => {
      const y = row < 0 ? top - TRAY_GAP - HALF : below + HALF;
      return { at: [row, column], x: left + (column + 0.5) * PITCH, y, width: PITCH, height: PITCH };
    }),
  );
  return { cells, trays, byCell: new Map([...cells, ...trays].map((spot) => [String(spot.at), spot])), left, top, right, bottom };
}

function placesOf({ rows, columns, cells }: Sized): Pick<Board["cells"][number], "at" | "centre" | "size">[] {
  if (cells.length) return [...cells].sort((a, b) => a.at[0] - b.at[0] || a.at[1] - b.at[1]);
  return Array.from({ length: rows * columns }, (_, index) => ({
    at: [Math.floor(index / columns), index % columns],
    centre: null,
    size: [1, 1],
  }));
}

/** Whether the cells are drawn as squares, which fill the board, rather than as points or holes. */
export function isFlat({ style }: Pick<Board, "style">): boolean {
  return style !== "points" && style !== "drop";
}

/** Return the width of the margin around the cells. */
export function rimOf({ style }: Pick<Board, "style">): number {
  return style === "squares" || style === "checks" ? 6 : 22;
}

/** Return how far the labels of the rows are from the cells: beyond a plate on which the cells lie. */
export function besideOf(board: Pick<Board, "style">): number {
  return board.style === "hexagons" || rimOf(board) < 22 ? 0 : 22;
}

/** Return the frame of a board; with `overhead`, a rack has room above it for the disc to be dropped. */
export function frame(board: Board, labels: boolean, overhead = false): Frame {
  const { left, top, right, bottom, trays } = layoutOf(board);
  const rim = rimOf(board);
  const letters = labels ? Math.max(15, Math.min(40, (3.2 * Math.max(right - left, bottom - top)) / PITCH)) : 0;
  const before = letters && board.row_labels.length ? 2 * letters + besideOf(board) : rim;
  const lower = letters && board.column_labels.length ? rim + 1.6 * letters : rim;
  const above = overhead && board.style === "drop" ? 92 : rim;
  const first = Math.min(top - above, ...trays.map(({ y }) => y - HALF - 6));
  const last = Math.max(bottom + lower, ...trays.map(({ y }) => y + HALF + 6));
  const width = Math.max(right + rim, ...trays.map(({ x }) => x + HALF + 6));
  return {
    left: before - left,
    top: -first,
    width: before - left + width,
    height: last - first,
    gap: board.style === "checks" ? 0 : 14,
    letters,
  };
}

export function viewBox(of: Frame): string {
  return `${-of.left} ${-of.top} ${of.width} ${of.height}`;
}

/** Return a cell as drawn; one that the board does not have is drawn at its row and column. */
export function spotOf(board: Sized, at: Cell): DrawnCell {
  const [row, column] = at;
  return layoutOf(board).byCell.get(String(at)) ?? { at, x: (column + 0.5) * PITCH, y: (row + 0.5) * PITCH, width: PITCH, height: PITCH };
}

export function centre(board: Sized, at: Cell): Point {
  return spotOf(board, at);
}

/** Return the middle of a cell's right or top side. */
export function sideCentre(board: Sized, at: Cell, side: string): Point {
  const { x, y } = spotOf(board, at);
  return side === "right" ? { x: x + HALF, y } : { x, y: y - HALF };
}

/** The sides of a hexagon, with `degrees` clockwise from the right, and the step to the neighbour of which each is the `opposite` side. */
export const SIDES_OF_HEXAGONS: Record<string, { degrees: number; step: Cell; opposite: string }> = {
  right: { degrees: 0, step: [0, 1], opposite: "left" },
  "bottom-right": { degrees: 60, step: [1, 0], opposite: "top-left" },
  "bottom-left": { degrees: 120, step: [1, -1], opposite: "top-right" },
  left: { degrees: 180, step: [0, -1], opposite: "right" },
  "top-left": { degrees: 240, step: [-1, 0], opposite: "bottom-right" },
  "top-right": { degrees: 300, step: [-1, 1], opposite: "bottom-left" },
};

/** List every cell of the board, row by row from the top. */
export function allCells(board: Sized): Cell[] {
  return layoutOf(board).cells.map(({ at }) => at);
}

export function sameCell(a: Cell | null | undefined, b: Cell | null | undefined): boolean {
  return !!a && !!b && a[0] === b[0] && a[1] === b[1];
}

/** Return the cell at a point, of the board or of a tray. */
export function cellAt(board: Sized, point: Point): Cell | null {
  const { cells, trays } = layoutOf(board);
  const reach = board.style === "hexagons" ? 1.16 : 1; // corners are farther away than sides
  let nearest: DrawnCell | null = null;
  let least = Infinity;
  for (const spot of [...cells, ...trays]) {
    const [across, down] = [Math.abs(point.x - spot.x), Math.abs(point.y - spot.y)];
    if (across > spot.width / 2 || down > (reach * spot.height) / 2) continue;
    const distance = Math.hypot(across / spot.width, down / spot.height);
    if (distance < least) [nearest, least] = [spot, distance];
  }
  return nearest?.at ?? null;
}

/** Return the spoken name of a cell: its own, `b4` if the board has labels, else its row and column. */
export function cellName(board: Board, [row, column]: Cell): string {
  if (row < 0 || row === board.rows) return `place ${column + 1} of the tray ${row < 0 ? "above" : "below"}`;
  const own = board.cells.find(({ at }) => sameCell(at, [row, column]))?.name;
  if (own) return own;
  const letter = board.column_labels[column];
  const number = board.row_labels[row];
  if (letter && number) return letter + number;
  if (letter) return `column ${letter}, row ${board.rows - row} from below`;
  return `row ${row + 1}, column ${column + 1}`;
}
