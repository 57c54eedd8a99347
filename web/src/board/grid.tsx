// The board for the keyboard and for screen readers: a grid of labelled cells whose sides can be selected for walls.
import { useMemo, useRef, useState } from "preact/hooks";
import type { Board } from "../api.gen.ts";
import { CellShape } from "./cells.tsx";
import { PITCH, cellAt, layoutOf, sameCell } from "./geometry.ts";
import type { Cell, DrawnCell } from "./geometry.ts";
import { ARROWS, neighbour } from "./neighbours.ts";
import { reading } from "./reading.ts";

/** The keyboard's target: a cell, or one of its sides. */
export interface Aim {
  at: Cell;
  kind: "cell" | "right" | "top";
}

interface GridProps {
  board: Board;
  label: string;
  you: number | null;
  selected: Cell | null;
  /** Return the announcement for a side when the keyboard selects it. */
  wordsFor: (aim: Aim) => string;
  /** Called when the keyboard selects a target, and with null when the focus leaves the board. */
  onAim: (aim: Aim | null) => void;
  onChoose: (aim: Aim) => void;
}

const GAP = 0.08 * PITCH; // between the outlines of two cells

/** Arrow keys move between cells, Shift with an arrow selects a side of the cell, Enter plays. */
export function Grid({ board, label, you, selected, wordsFor, onAim, onChoose }: GridProps) {
  const group = useRef<SVGGElement>(null);
  const rows = useMemo(() => rowsOf(board), [board]);
  const [current, setCurrent] = useState<Cell>(() => middleOf(board));
  const [aim, setAim] = useState<Aim | null>(null);
  const [said, setSaid] = useState("");
  // pointer movements redraw the board, but do not change the labels
  const labels = useMemo(() => new Map(rows.flat().map((at) => [String(at), reading(board, at, you)])), [board, you]);
  const entry: Cell = labels.has(String(current)) ? current : middleOf(board);

  const point = (to: Aim | null) => {
    setAim(to);
    setSaid(to && to.kind !== "cell" ? wordsFor(to) : "");
    onAim(to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      onChoose(aim ?? { at: entry, kind: "cell" });
      return;
    }
    const step = ARROWS[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation(); // outside the board, the arrow keys step through the game
    if (event.shiftKey && board.style !== "hexagons") {
      point(sideOf(entry, step));
      return;
    }
    const next = neighbour(board, entry, step);
    if (next) group.current?.querySelector<SVGElement>(`[data-cell="${next}"]`)?.focus();
  };
  return (
    <>
      <g ref={group} class="grid-cells" role="grid" aria-label={label} onKeyDown={onKeyDown}>
        {rows.map((row) => (
          <g key={row[0]?.[0]} role="row">
            {row.map((at) => (
              <CellShape
                key={String(at)}
                board={board}
                at={at}
                gap={GAP}
                class="grid-cell"
                role="gridcell"
                data-cell={String(at)}
                aria-label={labels.get(String(at))}
                aria-selected={sameCell(at, selected)}
                tabindex={sameCell(at, entry) ? 0 : -1}
                onFocus={() => {
                  setCurrent(at);
                  point({ at, kind: "cell" });
                }}
                onBlur={() => point(null)}
                onClick={(event: MouseEvent) => event.detail === 0 && onChoose({ at, kind: "cell" })}
              />
            ))}
          </g>
        ))}
      </g>
      <foreignObject width={1} height={1}>
        <div class="visually-hidden" aria-live="assertive">
          {said}
        </div>
      </foreignObject>
    </>
  );
}

/** Return the side of a cell in a direction; a wall belongs to the cell on its left or the cell below it. */
function sideOf([row, column]: Cell, [down, right]: Cell): Aim {
  if (down) return { at: [down > 0 ? row + 1 : row, column], kind: "top" };
  return { at: [row, right > 0 ? column : column - 1], kind: "right" };
}

/** Return the cells row by row, first the tray above the board, last the tray below it. */
function rowsOf(board: Board): Cell[][] {
  const { cells, trays } = layoutOf(board);
  const all = [...cells, ...trays].map(({ at }) => at);
  const numbers = [...new Set(all.map(([row]) => row))].sort((a, b) => a - b);
  return numbers.map((number) => all.filter(([row]) => row === number));
}

/** Return the cell where the keyboard enters the board: in the middle, or the cell nearest to it. */
function middleOf(board: Board): Cell {
  const { cells, left, top, right, bottom } = layoutOf(board);
  const [x, y] = [(left + right - PITCH / 2) / 2, (top + bottom - PITCH / 2) / 2]; // of an even number, the first
  const distance = (spot: DrawnCell) => Math.hypot(spot.x - x, spot.y - y);
  return cellAt(board, { x, y }) ?? [...cells].sort((a, b) => distance(a) - distance(b))[0]?.at ?? [0, 0];
}
