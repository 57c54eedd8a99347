// Boards and choices for tests.
import type { Board, Choice, Piece } from "../src/api.gen.ts";

export function board(changes: Partial<Board> = {}): Board {
  return {
    rows: 3,
    columns: 3,
    style: "squares",
    pieces: [],
    edges: [],
    marks: [],
    choices: [],
    column_labels: ["a", "b", "c"],
    row_labels: ["3", "2", "1"],
    captured: [],
    note: "",
    opposite: false,
    colours: [0, 1],
    next_colour: null,
    paints: ["orange", "blue"],
    cells: [],
    lines: [],
    labels: [],
    trays: 0,
    stacked: false,
    stage: "",
    one_click: false,
    ...changes,
  };
}

export function choice(text: string, kind = "cell", at: [number, number] = [0, 0], source: [number, number] | null = null, action = 0): Choice {
  return { action, text, kind, at, source, label: null, move: null, ask: null };
}

export const piece = (shape: string, row: number, column: number, owner: number | null = 0): Piece => ({ at: [row, column], shape, owner });
