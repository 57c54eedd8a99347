// Draws any board from its description: ground, marks, walls, pieces, labels; nothing here can be clicked.
import type { ComponentChildren, Ref } from "preact";
import type { Board, Edge, Piece } from "../api.gen.ts";
import { HALF, PITCH, cellName, centre, frame, sameCell, sideCentre, viewBox } from "./geometry.ts";
import type { Cell, Frame } from "./geometry.ts";
import type { Known } from "./identity.ts";
import { PieceShape, ownerClass } from "./pieces.tsx";

interface DrawingProps {
  board: Board;
  frame: Frame;
  pieces: Known[];
  /** The cell whose piece is in the person's hand. */
  lifted?: Cell | null;
  /** What the drawing shows, for people who cannot see it. */
  label: string;
  /** Keys of the walls that the latest move set (see `edgeKey`). */
  newEdges?: Set<string>;
  under?: ComponentChildren;
  behindRack?: ComponentChildren;
  over?: ComponentChildren;
  svgRef?: Ref<SVGSVGElement>;
  handlers?: Record<string, (event: PointerEvent) => void>;
  className?: string;
}

/** A board with everything around it; the caller adds what is under the pieces and what lies over them. */
export function Drawing(props: DrawingProps) {
  const { board, pieces } = props;
  const won = new Set(board.marks.filter((mark) => mark.kind === "win").map((mark) => String(mark.at)));
  return (
    <svg
      ref={props.svgRef ?? null}
      class={`board ${board.style} ${won.size ? "decided" : ""} ${props.className ?? ""}`}
      viewBox={viewBox(props.frame)}
      style={{ aspectRatio: `${props.frame.width} / ${props.frame.height}` }}
      role={props.handlers ? "group" : "img"}
      aria-label={props.label}
      {...props.handlers}
    >
      <Ground board={board} gap={props.frame.gap} />
      {board.style !== "drop" && <Marks board={board} gap={props.frame.gap} />}
      {props.under}
      {board.edges.map((edge) => (
        <Wall
          key={edgeKey(edge)}
          edge={edge}
          className={props.newEdges?.has(edgeKey(edge)) ? "new" : ""}
          name={`wall ${edge.side === "right" ? "right of" : "above"} ${cellName(board, edge.at)}`}
        />
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
      {board.style === "drop" && <Rack board={board} />}
      {board.style === "drop" && <Marks board={board} gap={0} />}
      <Labels board={board} frame={props.frame} />
      {props.over}
    </svg>
  );
}

/** A board that only looks: on cards and previews. */
export function BoardPicture({ board, label }: { board: Board; label: string }) {
  if (!board.rows) return <NoBoard label={label} />;
  const pieces = board.pieces.map((piece, index) => ({ key: String(index), piece, fresh: false }));
  return <Drawing board={board} frame={frame(board, false)} pieces={pieces} label={label} />;
}

/** For games that are played by buttons alone. */
function NoBoard({ label }: { label: string }) {
  return (
    <svg class="board squares" viewBox="-50 -50 100 100" role="img" aria-label={label}>
      <rect class="cell" x={-46} y={-46} width={92} height={92} rx={12} />
      <path class="grid-hint" d="M-20-16H20M-20 0H20M-20 16H4" />
    </svg>
  );
}

export function edgeKey(edge: Edge): string {
  return `${edge.side}-${edge.at[0]}-${edge.at[1]}`;
}

function cells(board: Board): Cell[] {
  return Array.from({ length: board.rows * board.columns }, (_, index) => [
    Math.floor(index / board.columns),
    index % board.columns,
  ]);
}

function Ground({ board, gap }: { board: Board; gap: number }) {
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
      {cells(board).map(([row, column]) => (
        <rect
          key={`${row}-${column}`}
          class="cell"
          x={column * PITCH + gap / 2}
          y={row * PITCH + gap / 2}
          width={PITCH - gap}
          height={PITCH - gap}
          rx={9}
        />
      ))}
    </>
  );
}

function Marks({ board, gap }: { board: Board; gap: number }) {
  return (
    <>
      {board.marks.map((mark) => {
        const { x, y } = centre(mark.at);
        const key = `${mark.kind}-${x}-${y}`;
        if (board.style !== "squares") return <circle key={key} class={`mark ${mark.kind}`} cx={x} cy={y} r={40} />;
        const side = PITCH - gap;
        return (
          <rect key={key} class={`mark ${mark.kind}`} x={x - side / 2} y={y - side / 2} width={side} height={side} rx={9} />
        );
      })}
    </>
  );
}

/** One wall; also used for the ghost of a wall that may be set. */
export function Wall({ edge, className, name }: { edge: Edge; className: string; name?: string }) {
  const { x, y } = sideCentre(edge.at, edge.side);
  const [width, height] = edge.side === "right" ? [15, PITCH - 3] : [PITCH - 3, 15];
  return (
    <rect
      class={`wall ${ownerClass(edge.owner)} ${className}`}
      {...(name ? { role: "img", "aria-label": name } : { "aria-hidden": true })}
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
  const company = board.pieces.filter((other) => String(other.at) === String(piece.at));
  const place = company.indexOf(piece);
  const shift = company.length > 1 ? (place / (company.length - 1) - 0.5) * 40 : 0;
  const scale = company.length > 1 ? 0.64 : 1;
  return (
    <g
      class={`piece ${fresh ? "fresh" : ""} ${won ? "won" : ""} ${lifted ? "lifted" : ""}`}
      role="img"
      aria-label={pieceName(board, piece)}
      style={{ transform: `translate(${x + shift}px, ${y + shift}px) scale(${scale})` }}
    >
      <g class="body" style={{ "--fall": `${-y - 40}px`, "--fall-time": `${0.12 + 0.13 * Math.sqrt(piece.at[0] + 1)}s` }}>
        <PieceShape shape={piece.shape} owner={piece.owner} />
      </g>
    </g>
  );
}

function pieceName(board: Board, { shape, owner, at }: Piece): string {
  return `${shape}${owner === null ? "" : ` of player ${owner + 1}`} on ${cellName(board, at)}`;
}

/** The front of a standing rack: a plate with round holes. */
function Rack({ board }: { board: Board }) {
  const width = board.columns * PITCH;
  const height = board.rows * PITCH;
  const holes = cells(board).map((cell) => {
    const { x, y } = centre(cell);
    return `M${x - 40} ${y}a40 40 0 1 0 80 0a40 40 0 1 0-80 0Z`;
  });
  const plate = `M14-14H${width - 14}A28 28 0 0 1 ${width + 14} 14V${height - 14}A28 28 0 0 1 ${width - 14} ${height + 14}H14A28 28 0 0 1-14 ${height - 14}V14A28 28 0 0 1 14-14Z`;
  return (
    <>
      <path class="rack" fill-rule="evenodd" d={plate + holes.join("")} />
      {cells(board).map((cell) => {
        const { x, y } = centre(cell);
        return <circle key={`${x}-${y}`} class="rim" cx={x} cy={y} r={40} />;
      })}
    </>
  );
}

function Labels({ board, frame: { left, height, top, letters } }: { board: Board; frame: Frame }) {
  if (!letters) return null;
  return (
    <g class="labels" aria-hidden="true" font-size={letters}>
      {board.column_labels.map((text, column) => (
        <text key={`column-${column}`} x={(column + 0.5) * PITCH} y={height - top - 0.4 * letters}>
          {text}
        </text>
      ))}
      {board.row_labels.map((text, row) => (
        <text key={`row-${row}`} x={-left / 2} y={(row + 0.5) * PITCH + 0.36 * letters}>
          {text}
        </text>
      ))}
    </g>
  );
}
