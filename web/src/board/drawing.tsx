// Draws any board from its description: ground, marks, walls, pieces, labels; without interaction.
import type { ComponentChildren, Ref } from "preact";
import type { Board, Edge, Piece } from "../api.gen.ts";
import { PITCH, centre, frame, sameCell, sideCentre, viewBox } from "./geometry.ts";
import type { Cell, Frame } from "./geometry.ts";
import { Ground, Labels, Marks, Rack } from "./ground.tsx";
import type { Known } from "./identity.ts";
import { PieceShape, ownerClass } from "./pieces.tsx";
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
  // stones and discs would hide marks below them
  const above = board.marks.filter((mark) => mark.kind !== "star" && (standing || board.style === "points"));
  const below = board.marks.filter((mark) => !above.includes(mark));
  return (
    <svg
      ref={props.svgRef ?? null}
      class={`board ${board.style} ${won.size ? "decided" : ""} ${props.className ?? ""}`}
      viewBox={viewBox(props.frame)}
      style={{ aspectRatio: `${props.frame.width} / ${props.frame.height}` }}
      {...(props.label === undefined ? {} : { role: "img", "aria-label": props.label })}
      {...props.handlers}
    >
      <g aria-hidden="true">
        <Ground board={board} gap={gap} />
        <Marks board={board} gap={gap} marks={below} />
        {props.under}
        {board.edges.map((edge) => (
          <Wall key={edgeKey(edge)} edge={edge} className={props.newEdges?.has(edgeKey(edge)) ? "new" : ""} />
        ))}
        {pieces.map((known) => (
          <PlacedPiece
            key={known.key}
            known={known}
            board={board}
            won={won.has(String(known.piece.at))}
            lifted={sameCell(known.piece.at, props.lifted)}
          />
        ))}
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

/** One wall; also used for the preview of a wall. */
export function Wall({ edge, className }: { edge: Edge; className: string }) {
  const { x, y } = sideCentre(edge.at, edge.side);
  const [width, height] = edge.side === "right" ? [15, PITCH - 3] : [PITCH - 3, 15];
  return (
    <rect
      class={`wall ${ownerClass(edge.owner)} ${className}`}
      x={x - width / 2}
      y={y - height / 2}
      width={width}
      height={height}
      rx={6}
    />
  );
}

interface PlacedProps {
  known: Known;
  board: Board;
  won: boolean;
  lifted: boolean;
}

function PlacedPiece({ known: { piece, fresh }, board, won, lifted }: PlacedProps) {
  const { x, y } = centre(piece.at);
  const company = board.pieces.filter((other) => sameCell(other.at, piece.at));
  const place = company.findIndex((other) => same(other, piece));
  const shift = company.length > 1 ? (place / (company.length - 1) - 0.5) * 40 : 0;
  const scale = company.length > 1 ? 0.64 : 1;
  return (
    <g
      class={`piece ${fresh ? "fresh" : ""} ${won ? "won" : ""} ${lifted ? "lifted" : ""}`}
      style={{ transform: `translate(${x + shift}px, ${y + shift}px) scale(${scale})` }}
    >
      <g class="body" style={{ "--fall": `${-y - 40}px`, "--fall-time": `${0.12 + 0.13 * Math.sqrt(piece.at[0] + 1)}s` }}>
        <PieceShape shape={piece.shape} owner={piece.owner} />
      </g>
    </g>
  );
}

function same(a: Piece, b: Piece): boolean {
  return a.shape === b.shape && a.owner === b.owner;
}
