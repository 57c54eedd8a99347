// A board seen from its other side: turned by half a circle; what it describes stays the same.
import type { Board } from "../api.gen.ts";
import type { Cell } from "./geometry.ts";

/** A standing rack has only one right way up. */
export function canTurn(board: Board): boolean {
  return board.style !== "drop" && board.rows > 0;
}

/** Values by rows, likewise. */
export function halfTurned(rows: number[][]): number[][] {
  return rows.map((row) => [...row].reverse()).reverse();
}

/** Where a cell lies on the turned board, or lay before. */
export function turnedCell({ rows, columns }: Pick<Board, "rows" | "columns">, [row, column]: Cell): [number, number] {
  return [rows - 1 - row, columns - 1 - column];
}

export function turned(board: Board): Board {
  const cell = (at: Cell) => turnedCell(board, at);
  const side = (at: Cell, kind: string): [number, number] => {
    const [row, column] = cell(at);
    // the right side of a cell becomes a left side, which is its left neighbour's right side; likewise the top
    if (kind === "right") return [row, column - 1];
    return kind === "top" ? [row + 1, column] : [row, column];
  };
  return {
    ...board,
    pieces: board.pieces.map((piece) => ({ ...piece, at: cell(piece.at) })),
    edges: board.edges.map((edge) => ({ ...edge, at: side(edge.at, edge.side) })),
    marks: board.marks.map((mark) => ({ ...mark, at: cell(mark.at) })),
    choices: board.choices.map((choice) => ({
      ...choice,
      at: choice.at && side(choice.at, choice.kind),
      source: choice.source && cell(choice.source),
    })),
    column_labels: [...board.column_labels].reverse(),
    row_labels: [...board.row_labels].reverse(),
  };
}
