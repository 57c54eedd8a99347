// Draws the parts of a board other than pieces: cells or grid lines, rack, marks and labels.
import type { Board, Mark } from "../api.gen.ts";
import { HALF, PITCH, allCells, centre } from "./geometry.ts";
import type { Frame } from "./geometry.ts";

export function Ground({ board, gap }: { board: Board; gap: number }) {
  const width = board.columns * PITCH;
  const height = board.rows * PITCH;
  if (board.style === "drop") return <rect class="back" x={0} y={0} width={width} height={height} rx={30} />;
  if (board.style === "points") {
    const rows = Array.from({ length: board.rows }, (_, row) => `M${HALF} ${(row + 0.5) * PITCH}H${width - HALF}`);
    const columns = Array.from({ length: board.columns }, (_, column) => `M${(column + 0.5) * PITCH} ${HALF}V${height - HALF}`);
    return (
      <>
        <rect class="wood" x={-18} y={-18} width={width + 36} height={height + 36} rx={16} />
        <path class="grid" d={rows.join("") + columns.join("")} />
      </>
    );
  }
  return (
    <>
      {board.style === "checks" && <rect class="checks-rim" x={-5} y={-5} width={width + 10} height={height + 10} rx={6} />}
      {allCells(board).map(([row, column]) => (
        <rect
          key={`${row}-${column}`}
          class={board.style === "checks" && (row + column) % 2 ? "cell dark" : "cell"}
          x={column * PITCH + gap / 2}
          y={row * PITCH + gap / 2}
          width={PITCH - gap}
          height={PITCH - gap}
          rx={gap && 9}
        />
      ))}
    </>
  );
}

/** The paths of marks that are drawn as a sign, centred on (0, 0). */
const SIGNS: Record<string, string> = {
  dead: "M-20-20 20 20M20-20-20 20",
  forbidden: "M-16-16 16 16M16-16-16 16",
  ko: "M-20-20H20V20H-20Z",
  "territory-0": "M-12-12H12V12H-12Z",
  "territory-1": "M-12-12H12V12H-12Z",
};

export function Marks({ board, gap, marks }: { board: Board; gap: number; marks: Mark[] }) {
  return (
    <>
      {marks.map((mark) => {
        const { x, y } = centre(mark.at);
        const key = `${mark.kind}-${x}-${y}`;
        if (mark.kind === "star") return <circle key={key} class="mark star" cx={x} cy={y} r={9} />;
        const sign = SIGNS[mark.kind];
        if (sign) return <path key={key} class={`mark sign ${mark.kind}`} d={sign} transform={`translate(${x} ${y})`} />;
        if (board.style === "drop" || board.style === "points") {
          return <circle key={key} class={`mark ${mark.kind}`} cx={x} cy={y} r={40} />;
        }
        const side = PITCH - gap;
        return (
          <rect
            key={key}
            class={`mark ${mark.kind}`}
            x={x - side / 2}
            y={y - side / 2}
            width={side}
            height={side}
            rx={gap && 9}
          />
        );
      })}
    </>
  );
}

/** The front of an upright rack: a plate with round holes. */
export function Rack({ board }: { board: Board }) {
  const width = board.columns * PITCH;
  const height = board.rows * PITCH;
  const holes = allCells(board).map((cell) => {
    const { x, y } = centre(cell);
    return `M${x - 40} ${y}a40 40 0 1 0 80 0a40 40 0 1 0-80 0Z`;
  });
  const plate = `M14-14H${width - 14}A28 28 0 0 1 ${width + 14} 14V${height - 14}A28 28 0 0 1 ${width - 14} ${height + 14}H14A28 28 0 0 1-14 ${height - 14}V14A28 28 0 0 1 14-14Z`;
  return (
    <>
      <path class="rack" fill-rule="evenodd" d={plate + holes.join("")} />
      {allCells(board).map((cell) => {
        const { x, y } = centre(cell);
        return <circle key={`${x}-${y}`} class="rim" cx={x} cy={y} r={40} />;
      })}
    </>
  );
}

export function Labels({ board, frame: { height, top, left, letters } }: { board: Board; frame: Frame }) {
  if (!letters) return null;
  return (
    <g class="labels" aria-hidden="true" font-size={letters}>
      {board.column_labels.map((text, column) => (
        <text key={`column-${column}`} x={(column + 0.5) * PITCH} y={height - top - 0.4 * letters}>
          {text}
        </text>
      ))}
      {board.row_labels.map((text, row) => (
        <text key={`row-${row}`} x={letters - left} y={(row + 0.5) * PITCH + 0.36 * letters}>
          {text}
        </text>
      ))}
    </g>
  );
}
