// The board for the keyboard and for screen readers: a grid of labelled cells whose sides can be selected for walls.
import { useMemo, useRef, useState } from "preact/hooks";
import type { Board } from "../api.gen.ts";
import { PITCH, centre, sameCell } from "./geometry.ts";
import type { Cell } from "./geometry.ts";
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

const STEPS: Record<string, Cell> = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** Arrow keys move between cells, Shift with an arrow selects a side of the cell, Enter plays. */
export function Grid({ board, label, you, selected, wordsFor, onAim, onChoose }: GridProps) {
  const group = useRef<SVGGElement>(null);
  const [current, setCurrent] = useState<Cell>([Math.floor((board.rows - 1) / 2), Math.floor((board.columns - 1) / 2)]);
  const [aim, setAim] = useState<Aim | null>(null);
  const [said, setSaid] = useState("");
  // pointer movements redraw the board, but do not change the labels
  const labels = useMemo(
    () => Array.from({ length: board.rows }, (_, row) => Array.from({ length: board.columns }, (__, column) => reading(board, [row, column], you))),
    [board, you],
  );
  const entry: Cell = [Math.min(current[0], board.rows - 1), Math.min(current[1], board.columns - 1)];

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
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation(); // outside the board, the arrow keys step through the game
    if (event.shiftKey) {
      point(sideOf(entry, step));
      return;
    }
    const next: Cell = [entry[0] + step[0], entry[1] + step[1]];
    if (next[0] < 0 || next[0] >= board.rows || next[1] < 0 || next[1] >= board.columns) return;
    group.current?.querySelector<SVGElement>(`[data-cell="${next}"]`)?.focus();
  };
  return (
    <>
      <g ref={group} class="grid-cells" role="grid" aria-label={label} onKeyDown={onKeyDown}>
        {Array.from({ length: board.rows }, (_, row) => (
          <g key={row} role="row">
            {Array.from({ length: board.columns }, (__, column) => {
              const at: Cell = [row, column];
              const { x, y } = centre(at);
              return (
                <rect
                  key={column}
                  class="grid-cell"
                  role="gridcell"
                  data-cell={String(at)}
                  aria-label={labels[row]?.[column]}
                  aria-selected={sameCell(at, selected)}
                  tabindex={sameCell(at, entry) ? 0 : -1}
                  x={x - 0.46 * PITCH}
                  y={y - 0.46 * PITCH}
                  width={0.92 * PITCH}
                  height={0.92 * PITCH}
                  rx={9}
                  onFocus={() => {
                    setCurrent(at);
                    point({ at, kind: "cell" });
                  }}
                  onBlur={() => point(null)}
                  onClick={(event: MouseEvent) => event.detail === 0 && onChoose({ at, kind: "cell" })}
                />
              );
            })}
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
