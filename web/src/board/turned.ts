// Rotates a board by 180 degrees, for the view from the other side.
import type { Board } from "../api.gen.ts";
import type { Cell } from "./geometry.ts";

/** Whether a board can be turned; an upright rack cannot. */
export function canTurn(board: Board): boolean {
  return board.style !== "drop" && board.rows > 0;
}

/** Rotate a matrix of values by 180 degrees. */
export function halfTurned(rows: number[][]): number[][] {
  return rows.map((row) => [...row].reverse()).reverse();
}

/** Rotate a cell's coordinates; applying it twice gives the original cell. */
export function turnedCell({ rows, columns }: Pick<Board, "rows" | "columns">, [row, column]: Cell): [number, number] {
  return [rows - 1 - row, columns - 1 - column];
}

export function turned(board: Board): Board {
  const cell = (at: Cell) => turnedCell(board, at);
  const side = (at: Cell, kind: string): [number, number] => {
    const [row, column] = cell(at);
    // a right side becomes a left side, stored as the right side of the left neighbour; top sides likewise
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
