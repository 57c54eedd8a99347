// Draws the parts of a board other than pieces: cells or lines, trays, rack, marks and labels.
import type { Board, Mark } from "../api.gen.ts";
import { CellShape } from "./cells.tsx";
import { HALF, PITCH, allCells, besideOf, centre, isFlat, layoutOf, rimOf } from "./geometry.ts";
import type { Frame } from "./geometry.ts";

export function Ground({ board, gap }: { board: Board; gap: number }) {
  const { style } = board;
  const { cells, trays, left, top, right, bottom } = layoutOf(board);
  const box = (name: string, rim: number, rx: number) => (
    <rect class={name} x={left - rim} y={top - rim} width={right - left + 2 * rim} height={bottom - top + 2 * rim} rx={rx} />
  );
  return (
    <>
      {[trays[0], trays[board.trays]].map((first) => first && <Tray key={first.y} {...first} cells={board.trays} />)}
      {style === "drop" && box("back", 0, 30)}
      {style === "points" && box("wood", 18, 16)}
      {style === "points" && <Lines board={board} />}
      {style === "checks" && !board.cells.length && box("checks-rim", 5, 6)}
      {style === "pits" && box("wood", 18, 40)}
      {isFlat(board) && cells.map(({ at }) => <CellShape key={String(at)} board={board} at={at} gap={gap} class={groundClass(board, at)} />)}
    </>
  );
}

function groundClass({ style }: Board, [row, column]: readonly [number, number]): string {
  if (style === "pits") return "pit";
  return style === "checks" && (row + column) % 2 ? "cell dark" : "cell";
}

/** The lines between points: the board's own, with a dot on each point, or a grid through all of them. */
function Lines({ board }: { board: Board }) {
  if (!board.lines.length) return <path class="grid" d={grid(board)} />;
  return (
    <>
      <path class="grid" d={lines(board)} />
      {layoutOf(board).cells.map(({ x, y }) => (
        <circle key={`${x} ${y}`} class="point" cx={x} cy={y} r={9} />
      ))}
    </>
  );
}

/** The lines of a grid through all cells. */
function grid({ rows, columns }: Board): string {
  const across = Array.from({ length: rows }, (_, row) => `M${HALF} ${(row + 0.5) * PITCH}H${(columns - 0.5) * PITCH}`);
  const down = Array.from({ length: columns }, (_, column) => `M${(column + 0.5) * PITCH} ${HALF}V${(rows - 0.5) * PITCH}`);
  return across.join("") + down.join("");
}

function lines(board: Board): string {
  const point = (at: readonly [number, number]) => `${centre(board, at).x} ${centre(board, at).y}`;
  return board.lines.map((line) => `M${line.map(point).join("L")}`).join("");
}

function Tray({ x, y, cells }: { x: number; y: number; cells: number }) {
  return <rect class="tray" x={x - HALF} y={y - HALF} width={cells * PITCH} height={PITCH} rx={16} />;
}

/** The paths of marks that are drawn as a sign, centred on (0, 0). */
const SIGNS: Record<string, string> = {
  dead: "M-20-20 20 20M20-20-20 20",
  forbidden: "M-16-16 16 16M16-16-16 16",
  ko: "M-20-20H20V20H-20Z",
  "territory-0": "M-12-12H12V12H-12Z",
  "territory-1": "M-12-12H12V12H-12Z",
  triangle: "M0-22 20 14H-20Z",
  square: "M-16-16H16V16H-16Z",
  circle: "M-18 0A18 18 0 1 0 18 0A18 18 0 1 0-18 0Z",
  cross: "M-16-16 16 16M16-16-16 16",
};
/** Marks that pieces do not hide. */
export const ON_TOP = new Set(["dead", "forbidden", "triangle", "square", "circle", "cross"]);

export function Marks({ board, gap, marks }: { board: Board; gap: number; marks: Mark[] }) {
  return (
    <>
      {marks.map((mark) => {
        const { x, y } = centre(board, mark.at);
        const key = `${mark.kind}-${x}-${y}`;
        if (mark.kind === "star") return <circle key={key} class="mark star" cx={x} cy={y} r={9} />;
        const sign = SIGNS[mark.kind];
        if (sign) {
          const place = `translate(${x} ${y})`;
          return (
            <g key={key}>
              {isFlat(board) && <path class="halo" d={sign} transform={place} />}
              <path class={`mark sign ${mark.kind}`} d={sign} transform={place} />
            </g>
          );
        }
        if (!isFlat(board)) {
          return <circle key={key} class={`mark ${mark.kind}`} cx={x} cy={y} r={40} />;
        }
        return <CellShape key={key} board={board} at={mark.at} gap={gap} class={`mark ${mark.kind}`} />;
      })}
    </>
  );
}

/** The front of an upright rack: a plate with round holes. */
export function Rack({ board }: { board: Board }) {
  const width = board.columns * PITCH;
  const height = board.rows * PITCH;
  const holes = allCells(board).map((cell) => {
    const { x, y } = centre(board, cell);
    return `M${x - 40} ${y}a40 40 0 1 0 80 0a40 40 0 1 0-80 0Z`;
  });
  const plate = `M14-14H${width - 14}A28 28 0 0 1 ${width + 14} 14V${height - 14}A28 28 0 0 1 ${width - 14} ${height + 14}H14A28 28 0 0 1-14 ${height - 14}V14A28 28 0 0 1 14-14Z`;
  return (
    <>
      <path class="rack" fill-rule="evenodd" d={plate + holes.join("")} />
      {allCells(board).map((cell) => {
        const { x, y } = centre(board, cell);
        return <circle key={`${x}-${y}`} class="rim" cx={x} cy={y} r={40} />;
      })}
    </>
  );
}

/** The labels of rows and columns, beside the cells that are drawn at their row and column. */
export function Labels({ board, frame: { letters } }: { board: Board; frame: Frame }) {
  if (!letters) return null;
  const { cells, left, bottom } = layoutOf(board);
  const moved = new Set(board.cells.filter((place) => place.centre).map((place) => String(place.at)));
  const kept = cells.filter(({ at }) => !moved.has(String(at)));
  const hexagons = board.style === "hexagons";
  return (
    <g class="labels" aria-hidden="true" font-size={letters}>
      {board.column_labels.map((text, column) => {
        const cell = kept.filter(({ at }) => at[1] === column).pop();
        if (!cell) return null;
        const [x, y] = hexagons ? [cell.x + 0.38 * PITCH, cell.y + 0.66 * PITCH + 0.4 * letters] : [cell.x, bottom + rimOf(board) + 1.2 * letters];
        return (
          <text key={`column-${column}`} x={x} y={y}>
            {text}
          </text>
        );
      })}
      {board.row_labels.map((text, row) => {
        const cell = kept.find(({ at }) => at[0] === row);
        if (!cell) return null;
        const x = hexagons ? cell.x - HALF - 16 : left - letters - besideOf(board);
        return (
          <text key={`row-${row}`} class={hexagons ? "beside" : ""} x={x} y={cell.y + 0.36 * letters}>
            {text}
          </text>
        );
      })}
    </g>
  );
}
