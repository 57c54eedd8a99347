// Draws any board from its description: ground, marks, walls, pieces, labels; without interaction.
import type { ComponentChildren, Ref } from "preact";
import type { Board, Edge } from "../api.gen.ts";
import { sidesOf } from "./colours.ts";
import { PITCH, SIDES_OF_HEXAGONS, centre, frame, isFlat, sideCentre, viewBox } from "./geometry.ts";
import type { Cell, Frame } from "./geometry.ts";
import { Ground, Labels, Marks, ON_TOP, Rack } from "./ground.tsx";
import type { Known } from "./identity.ts";
import { ownerClass } from "./pieces.tsx";
import { PlacedPieces } from "./placed.tsx";
import { edgeKey } from "./same.ts";
import { useFollowed } from "./use-followed.ts";

interface DrawingProps {
  board: Board;
  frame: Frame;
  pieces: Known[];
  /** The cell whose piece is being dragged. */
  lifted?: Cell | null;
  /** A description for screen readers; absent if an overlay provides one. */
  label?: string;
  /** Keys of the walls that the latest move set (see `edgeKey`). */
  newEdges?: Set<string> | undefined;
  under?: ComponentChildren;
  behindRack?: ComponentChildren;
  over?: ComponentChildren;
  svgRef?: Ref<SVGSVGElement>;
  handlers?: Record<string, (event: PointerEvent) => void>;
  className?: string;
}

/** A complete board; the caller may add layers under and over the pieces. */
export function Drawing(props: DrawingProps) {
  const { board, pieces } = props;
  const { gap } = props.frame;
  const won = new Set(board.marks.filter((mark) => mark.kind === "win").map((mark) => String(mark.at)));
  const standing = board.style === "drop";
  // pieces would hide these marks below them
  const above = board.marks.filter(({ kind }) => kind !== "star" && (!isFlat(board) || ON_TOP.has(kind)));
  const below = board.marks.filter((mark) => !above.includes(mark));
  return (
    <svg
      ref={props.svgRef ?? null}
      class={`board ${board.style} ${won.size ? "decided" : ""} ${props.className ?? ""}`}
      viewBox={viewBox(props.frame)}
      style={{ ...sidesOf(board), aspectRatio: `${props.frame.width} / ${props.frame.height}` }}
      {...(props.label === undefined ? {} : { role: "img", "aria-label": props.label })}
      {...props.handlers}
    >
      <g aria-hidden="true">
        <Ground board={board} gap={gap} />
        <Marks board={board} gap={gap} marks={below} />
        {props.under}
        {board.edges.map((edge) => (
          <Wall key={edgeKey(edge)} board={board} edge={edge} className={props.newEdges?.has(edgeKey(edge)) ? "new" : ""} />
        ))}
        <PlacedPieces board={board} pieces={pieces} won={won} lifted={props.lifted} />
        {props.behindRack}
        {standing && <Rack board={board} />}
        <Marks board={board} gap={0} marks={above} />
        <Labels board={board} frame={props.frame} />
      </g>
      {props.over}
    </svg>
  );
}

/** A board without interaction, for cards and previews. */
export function BoardPicture({ board, label }: { board: Board; label: string }) {
  const pieces = useFollowed(board.pieces);
  if (!board.rows) return <NoBoard label={label} />;
  return <Drawing board={board} frame={frame(board, false)} pieces={pieces} label={label} />;
}

/** A placeholder for games without a board, which are played with buttons. */
function NoBoard({ label }: { label: string }) {
  return (
    <svg class="board squares" viewBox="-50 -50 100 100" role="img" aria-label={label}>
      <rect class="cell" x={-46} y={-46} width={92} height={92} rx={12} />
      <path class="grid-hint" d="M-20-16H20M-20 0H20M-20 16H4" />
    </svg>
  );
}

const THICK = 15;

interface WallProps {
  board: Board;
  edge: Edge;
  className: string;
  /** Whether the wall ends before the corners of the cells, so that one can tell it from its neighbours. */
  apart?: boolean;
}

/** One wall, also used for the preview of a wall; its round ends meet those of its neighbours in the corner of the cells. */
export function Wall({ board, edge, className, apart = false }: WallProps) {
  const more = apart ? -3 : THICK;
  const name = `wall ${ownerClass(edge.owner)} ${className}`;
  if (board.style === "hexagons") {
    const { x, y } = centre(board, edge.at);
    const [width, height] = [12, 0.8 * more + PITCH / Math.sqrt(3)];
    const turn = `translate(${x} ${y}) rotate(${SIDES_OF_HEXAGONS[edge.side]?.degrees ?? 0}) translate(${PITCH / 2} 0)`;
    return <rect class={name} transform={turn} x={-width / 2} y={-height / 2} width={width} height={height} rx={width / 2} />;
  }
  const { x, y } = sideCentre(board, edge.at, edge.side);
  const [width, height] = edge.side === "right" ? [THICK, PITCH + more] : [PITCH + more, THICK];
  return <rect class={name} x={x - width / 2} y={y - height / 2} width={width} height={height} rx={THICK / 2} />;
}
