// Describes a board in words for screen readers: the contents of a cell, and the changes since the previous board.
import type { Board, Edge, Piece } from "../api.gen.ts";
import { playerWith } from "./colours.ts";
import { SIDES_OF_HEXAGONS, cellName, sameCell } from "./geometry.ts";
import type { Cell } from "./geometry.ts";
import { edgeKey, kin } from "./same.ts";

const MARKS: Record<string, string> = {
  last: "last move",
  win: "winning",
  check: "in check",
  dead: "marked as dead",
  triangle: "marked with a triangle",
  square: "marked with a square",
  circle: "marked with a circle",
  cross: "marked with a cross",
  ko: "may not be taken back now",
  forbidden: "forbidden",
  "territory-0": "territory of player 1",
  "territory-1": "territory of player 2",
};

/** Describe one cell: `c3, your cat, wall above, can be played`. */
export function reading(board: Board, cell: Cell, you: number | null): string {
  const parts = [cellName(board, cell)];
  for (const [piece, count] of runsOf(board.pieces.filter((piece) => sameCell(piece.at, cell)))) parts.push(pieceWords(board, piece, count, you));
  if (parts.length === 1) parts.push("empty");
  for (const label of board.labels) if (sameCell(label.at, cell)) parts.push(label.text);
  const walls = wallsAround(board, cell);
  if (walls.length) parts.push(`wall ${walls.join(" and ")}`);
  for (const mark of board.marks) {
    if (!sameCell(mark.at, cell)) continue;
    const words = MARKS[mark.kind];
    if (words) parts.push(words);
  }
  const { targets, sources } = reachOf(board);
  if (targets.has(String(cell))) parts.push("can be played");
  if (sources.has(String(cell))) parts.push("can move");
  return parts.join(", ");
}

/** List the sides of a cell that have a wall: `above`, `on the right`. */
function wallsAround(board: Board, cell: Cell): string[] {
  const [row, column] = cell;
  const wall = (side: string, at: Cell) => board.edges.some((edge) => edge.side === side && sameCell(edge.at, at));
  const sides: [boolean, string][] =
    board.style === "hexagons"
      ? Object.entries(SIDES_OF_HEXAGONS).map(([side, { step: [down, right], opposite }]) => [
          wall(side, cell) || wall(opposite, [row + down, column + right]),
          `on the ${spaced(side)}`,
        ])
      : [
          [wall("top", cell), "above"],
          [wall("right", cell), "on the right"],
          [wall("top", [row + 1, column]), "below"],
          [wall("right", [row, column - 1]), "on the left"],
        ];
  return sides.filter(([stands]) => stands).map(([, words]) => words);
}

/** Return the words for a side of a hexagon: `top left`. */
function spaced(side: string): string {
  return side.replace("-", " ");
}

interface Reach {
  targets: Set<string>;
  sources: Set<string>;
}

/** A cache by board; the position editor's boards have thousands of choices. */
const reaches = new WeakMap<Board, Reach>();

function reachOf(board: Board): Reach {
  let reach = reaches.get(board);
  if (!reach) {
    const targets = board.choices.filter((choice) => choice.kind === "cell").map((choice) => String(choice.at));
    const sources = board.choices.flatMap((choice) => (choice.source ? [String(choice.source)] : []));
    reach = { targets: new Set(targets), sources: new Set(sources) };
    reaches.set(board, reach);
  }
  return reach;
}

/** Group the pieces of a cell: each kind of successive pieces, with their number. */
function runsOf(pieces: Piece[]): [Piece, number][] {
  const runs: [Piece, number][] = [];
  for (const piece of pieces) {
    const last = runs.at(-1);
    if (last && kin(last[0], piece)) last[1] += 1;
    else runs.push([piece, 1]);
  }
  return runs;
}

function pieceWords(board: Board, { shape, owner }: Piece, count: number, you: number | null): string {
  const words = count > 1 ? `${count} ${shape}s` : shape;
  if (owner === null) return words;
  const player = playerWith(board, owner);
  if (player === null) return `${board.paints[owner === 1 ? 1 : 0]} ${words}`;
  if (you === null) return `${words} of player ${player + 1}`;
  return player === you ? `your ${words}` : `opponent's ${words}`;
}

export function wallWords(board: Board, { at, side }: Pick<Edge, "at" | "side">): string {
  const [row, column] = at;
  if (column < 0) return `wall left of ${cellName(board, [row, 0])}`; // the left or bottom edge of the board
  if (row === board.rows) return `wall below ${cellName(board, [row - 1, column])}`;
  const place = board.style === "hexagons" ? `on the ${spaced(side)} of` : side === "right" ? "right of" : "above";
  return `wall ${place} ${cellName(board, at)}`;
}

export interface Change {
  /** `cat to b4`, `wall above c3`, `pawn taken on e5`. */
  words: string[];
  moved: number;
  walls: number;
  taken: number;
}

/** Describe the differences between two consecutive boards. */
export function changes(before: Board, after: Board): Change {
  const left = [...before.pieces];
  const come: Piece[] = [];
  for (const piece of after.pieces) {
    const index = left.findIndex((other) => kin(other, piece) && sameCell(other.at, piece.at));
    if (index >= 0) left.splice(index, 1);
    else come.push(piece);
  }
  const words: string[] = [];
  let moved = 0;
  for (const piece of come) {
    const index = left.findIndex((other) => kin(other, piece));
    if (index >= 0) left.splice(index, 1);
    const text = `${piece.shape} ${index >= 0 ? "to" : "on"} ${cellName(after, piece.at)}`;
    if (!words.includes(text)) words.push(text); // of several pieces to one cell, say it once
    moved += 1;
  }
  const old = new Set(before.edges.map(edgeKey));
  const walls = after.edges.filter((edge) => !old.has(edgeKey(edge)));
  for (const edge of walls) words.push(wallWords(after, edge));
  const gain = (owner: Piece["owner"]) => count(after, owner) - count(before, owner);
  const placed = [0, 1, null].some((owner) => gain(owner) > 0) ? 1 : 0;
  // a piece that changes its owner is not taken: the total number of pieces stays the same
  const gone = after.pieces.length < before.pieces.length + placed ? left.filter(({ owner }) => gain(owner) < 0) : [];
  for (const piece of gone) words.push(`${piece.shape} taken on ${cellName(after, piece.at)}`);
  return { words, moved, walls: walls.length, taken: gone.length };
}

function count({ pieces }: Board, owner: Piece["owner"]): number {
  return pieces.filter((piece) => piece.owner === owner).length;
}
