// Premoves: moves entered during the opponent's turn and tried at the player's own; derived without the rules.
import type { Board, Choice } from "../api.gen.ts";
import { colourOf } from "./colours.ts";
import { allCells, sameCell } from "./geometry.ts";
import type { Cell } from "./geometry.ts";
import { edgeKey } from "./same.ts";

/** A move entered in advance. */
export interface Premove {
  kind: string;
  at: Cell;
  source: Cell | null;
}

/** The kinds of targets in this game, learned from the player's turns so far. */
export interface Habits {
  /** Whether cells can be played without selecting a piece. */
  cells: boolean;
  /** Whether pieces can move to cells. */
  pieces: boolean;
  /** Columns at the right edge whose right sides cannot take a wall: 0 or 1. */
  right: number;
  /** Rows at the top edge whose top sides cannot take a wall: 0 or 1. */
  top: number;
}

export const NO_HABITS: Habits = { cells: false, pieces: false, right: Infinity, top: Infinity };

export function habitsFrom(known: Habits, { choices, columns }: Board): Habits {
  const some = (test: (choice: Choice) => boolean) => choices.some(test);
  const sides = (kind: string) => choices.flatMap((choice) => (choice.kind === kind && choice.at ? [choice.at] : []));
  return {
    cells: known.cells || some((choice) => choice.kind === "cell" && !choice.source),
    pieces: known.pieces || some((choice) => choice.kind === "cell" && !!choice.source),
    right: Math.min(known.right, ...sides("right").map(([, column]) => Math.min(1, columns - 1 - column))),
    top: Math.min(known.top, ...sides("top").map(([row]) => Math.min(1, row))),
  };
}

/** List every conceivable move of `player` as a choice; its action is its index in this list. */
export function premoveChoices(board: Board, habits: Habits, player: number): Choice[] {
  const found: Premove[] = [];
  const walled = new Set(board.edges.map(edgeKey));
  const own = colourOf(board, player);
  const sources = board.pieces.filter((piece) => piece.owner === own).map((piece) => piece.at);
  const rows = board.style === "drop" ? 1 : board.rows; // in a rack, a whole column is one target
  for (const at of allCells(board)) {
    const [row, column] = at;
    if (row >= rows) break;
    if (habits.cells) found.push({ kind: "cell", at, source: null });
    if (habits.pieces) {
      for (const source of sources) if (!sameCell(source, at)) found.push({ kind: "cell", at, source });
    }
    if (column < board.columns - habits.right && !walled.has(edgeKey({ at, side: "right" }))) found.push({ kind: "right", at, source: null });
    if (row >= habits.top && !walled.has(edgeKey({ at, side: "top" }))) found.push({ kind: "top", at, source: null });
  }
  return found.map(({ kind, at, source }, action) => ({
    action,
    text: "premove",
    kind,
    at: [at[0], at[1]],
    source: source && [source[0], source[1]],
    label: null,
    move: null,
    ask: null,
  }));
}

/** Return the board with the premoves applied. */
export function withPremoves(board: Board, premoves: Premove[], player: number): Board {
  const own = colourOf(board, player);
  let { pieces, edges } = board;
  for (const { kind, at, source } of premoves) {
    const to: [number, number] = [at[0], at[1]];
    if (kind !== "cell") edges = [...edges, { at: to, side: kind, owner: own }];
    else if (source) {
      const goes = (piece: Board["pieces"][number]) => piece.owner === own && sameCell(piece.at, source);
      pieces = pieces.map((piece) => (goes(piece) ? { ...piece, at: to } : piece));
    }
  }
  return premoves.length ? { ...board, pieces, edges } : board;
}

/** Return the legal choices that match a premove; there are several for a promotion. */
export function choicesOf(premove: Premove, choices: Choice[]): Choice[] {
  return choices.filter(
    (choice) =>
      choice.kind === premove.kind &&
      sameCell(choice.at, premove.at) &&
      (!premove.source || !choice.source || sameCell(choice.source, premove.source)),
  );
}
