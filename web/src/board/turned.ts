// Rotates a board by 180 degrees, for the view from the other side.
import type { Board } from "../api.gen.ts";
import { SIDES_OF_HEXAGONS } from "./geometry.ts";
import type { Cell } from "./geometry.ts";

/** Whether a board can be turned; an upright rack cannot. */
export function canTurn(board: Board): boolean {
  return board.style !== "drop" && board.rows > 0;
}

/** Rotate a matrix of values by 180 degrees. */
export function halfTurned(rows: number[][]): number[][] {
  return rows.map((row) => [...row].reverse()).reverse();
}

/** Rotate a cell's coordinates; applying it twice gives the original cell. The trays change places, unturned. */
export function turnedCell({ rows, columns }: Pick<Board, "rows" | "columns">, [row, column]: Cell): [number, number] {
  return [rows - 1 - row, row < 0 || row === rows ? column : columns - 1 - column];
}

export function turned(board: Board): Board {
  const cell = (at: Cell) => turnedCell(board, at);
  const hexagons = board.style === "hexagons";
  const side = (at: Cell, kind: string): [number, number] => {
    if (kind === "cell" || hexagons) return cell(at);
    const [row, column] = [board.rows - 1 - at[0], board.columns - 1 - at[1]];
    // a right side becomes a left side, stored as the right side of the left neighbour; top sides likewise
    if (kind === "right") return [row, column - 1];
    return kind === "top" ? [row + 1, column] : [row, column];
  };
  return {
    ...board,
    pieces: board.pieces.map((piece) => ({ ...piece, at: cell(piece.at) })),
    edges: board.edges.map((edge) => ({ ...edge, at: side(edge.at, edge.side), side: hexagons ? (SIDES_OF_HEXAGONS[edge.side]?.opposite ?? edge.side) : edge.side })),
    cells: board.cells.map((place) => ({ ...place, at: cell(place.at), centre: place.centre && turnedCentre(board, place.centre) })),
    lines: board.lines.map((line) => line.map(cell)),
    labels: board.labels.map((label) => ({ ...label, at: cell(label.at) })),
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

/** Rotate a point, in rows and columns, about the middle of all cells. */
function turnedCentre({ cells }: Board, [row, column]: [number, number]): [number, number] {
  const opposite = (values: number[], value: number) => Math.min(...values) + Math.max(...values) - value;
  const points = cells.map(({ at, centre }) => centre ?? at);
  return [opposite(points.map((point) => point[0]), row), opposite(points.map((point) => point[1]), column)];
}
