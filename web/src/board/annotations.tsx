// Arrows and rings that a person draws with the right mouse button, visible only to that person; and the drawing of hints.
import type { Board, Choice } from "../api.gen.ts";
import { PITCH, centre, sameCell } from "./geometry.ts";
import type { Cell, Point } from "./geometry.ts";
import { Wall } from "./drawing.tsx";
import { landing } from "./targets.ts";

/** An arrow, or a ring where both cells are the same. */
export interface Annotation {
  from: Cell;
  to: Cell;
}

/** Add an annotation, or remove it if it is already drawn. */
export function toggled(drawn: Annotation[], { from, to }: Annotation): Annotation[] {
  const rest = drawn.filter((one) => !sameCell(one.from, from) || !sameCell(one.to, to));
  return rest.length < drawn.length ? rest : [...drawn, { from, to }];
}

export function Annotations({ board, drawn }: { board: Board; drawn: Annotation[] }) {
  return (
    <g class="annotations" aria-hidden="true">
      {drawn.map(({ from, to }) =>
        sameCell(from, to) ? (
          <circle key={`${from}`} class="ring" cx={centre(board, from).x} cy={centre(board, from).y} r={0.43 * PITCH} />
        ) : (
          <path key={`${from}-${to}`} class="arrow" d={arrow(centre(board, from), centre(board, to))} />
        ),
      )}
    </g>
  );
}

/** Draws the engine's suggested move: an arrow, a ring, or the outline of a wall. */
export function Hint({ board, choices }: { board: Board; choices: Choice[] }) {
  return (
    <g class="hint-move" aria-hidden="true">
      {choices.map((choice) => {
        const { kind, source, action } = choice;
        const at = board.style === "drop" ? landing(board, choice) : choice.at;
        if (!at) return null;
        if (kind === "right" || kind === "top") return <Wall key={action} board={board} edge={{ at: [at[0], at[1]], side: kind, owner: null }} className="hint-wall" apart />;
        if (source) return <path key={action} class="arrow" d={arrow(centre(board, source), centre(board, at))} />;
        return <circle key={action} class="ring" cx={centre(board, at).x} cy={centre(board, at).y} r={0.3 * PITCH} />;
      })}
    </g>
  );
}

const HALF_SHAFT = 7;
const HEAD = 32;

/** Return the SVG path of an arrow that leaves the centres of both cells visible. */
function arrow(from: Point, to: Point): string {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const along = { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
  const at = (distance: number, aside: number) =>
    `${(from.x + along.x * distance - along.y * aside).toFixed(1)} ${(from.y + along.y * distance + along.x * aside).toFixed(1)}`;
  const start = 0.2 * PITCH;
  const end = length - 0.12 * PITCH;
  const neck = end - HEAD;
  const points = [
    at(start, HALF_SHAFT),
    at(neck, HALF_SHAFT),
    at(neck, 2.6 * HALF_SHAFT),
    at(end, 0),
    at(neck, -2.6 * HALF_SHAFT),
    at(neck, -HALF_SHAFT),
    at(start, -HALF_SHAFT),
  ];
  return `M${points.join("L")}Z`;
}
