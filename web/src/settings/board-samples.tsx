// Small boards that show the chosen set of boards and pieces.
import type { Board, Piece } from "../api.gen.ts";
import { BoardPicture } from "../board/drawing.tsx";

const piece = (shape: string, row: number, column: number, owner: number): Piece => ({ at: [row, column], shape, owner });

function sample(style: string, paints: [string, string], pieces: Piece[]): Board {
  return {
    rows: 2,
    columns: 3,
    style,
    pieces,
    edges: [],
    marks: [],
    choices: [],
    column_labels: [],
    row_labels: [],
    captured: [],
    note: "",
    stage: "",
    opposite: false,
    colours: [0, 1],
    next_colour: null,
    paints,
    cells: [],
    lines: [],
    labels: [],
    trays: 0,
    stacked: false,
    one_click: false,
  };
}

const SAMPLES = [
  sample("checks", ["white", "black"], [piece("knight", 0, 0, 1), piece("king", 0, 1, 1), piece("queen", 1, 1, 0), piece("pawn", 1, 2, 0)]),
  sample("points", ["black", "white"], [piece("stone", 0, 0, 0), piece("stone", 0, 1, 1), piece("stone", 1, 1, 0), piece("stone", 1, 2, 1)]),
  {
    ...sample("squares", ["orange", "blue"], [piece("cat", 0, 0, 0), piece("mouse", 1, 2, 1)]),
    edges: [
      { at: [0, 0] as [number, number], side: "right", owner: 0 },
      { at: [1, 0] as [number, number], side: "right", owner: 0 },
      { at: [1, 2] as [number, number], side: "top", owner: 1 },
    ],
  },
  sample("drop", ["red", "yellow"], [piece("disc", 1, 0, 0), piece("disc", 1, 1, 1), piece("disc", 0, 1, 0)]),
];

export function BoardSamples() {
  return (
    <div class="board-samples">
      {SAMPLES.map((board) => (
        <div key={board.style} class={board.style}>
          <BoardPicture board={board} label="A board in this set" />
        </div>
      ))}
    </div>
  );
}
