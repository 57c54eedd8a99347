// Hints for pointing: marks on movable pieces and possible destinations, and previews of a move and of premoves.
import type { Board, Edge } from "../api.gen.ts";
import { Wall } from "./drawing.tsx";
import { PITCH, centre, sameCell } from "./geometry.ts";
import type { Cell } from "./geometry.ts";
import { PieceShape } from "./pieces.tsx";
import type { Premove } from "./premoves.ts";
import type { Target } from "./targets.ts";
import type { Drag } from "./use-pointer.ts";

const flat = (board: Board) => board.style === "squares" || board.style === "checks";

function Square({ at, gap, className }: { at: Cell; gap: number; className: string }) {
  const { x, y } = centre(at);
  const side = PITCH - gap;
  return <rect class={className} x={x - side / 2} y={y - side / 2} width={side} height={side} rx={gap && 9} />;
}

interface SourcesProps {
  board: Board;
  sources: Cell[];
  selected: Cell | null;
  gap: number;
  /** Whether to mark every movable piece; only useful if there are few. */
  all: boolean;
}

export function Sources({ board, sources, selected, gap, all }: SourcesProps) {
  if (!flat(board)) return null;
  return (
    <>
      {sources.map((source) => {
        const chosen = sameCell(source, selected);
        return (all || chosen) && <Square key={String(source)} at={source} gap={gap} className={chosen ? "source selected" : "source"} />;
      })}
    </>
  );
}

/** A dot on every possible destination, a ring if it is occupied. */
export function Dots({ board, targets, few }: { board: Board; targets: Target[]; few: boolean }) {
  if (!flat(board) || !few) return null;
  return (
    <>
      {targets.map((target) => {
        if (target.kind !== "cell") return null;
        const { x, y } = target.middle;
        const taken = board.pieces.some((piece) => sameCell(piece.at, target.at));
        return <circle key={target.key} class={taken ? "dot taken" : "dot"} cx={x} cy={y} r={taken ? 42 : 11} />;
      })}
    </>
  );
}

interface GhostProps {
  board: Board;
  gap: number;
  target: Target;
  selected: Cell | null;
  owner: number | null;
  dragged: boolean;
  /** The shape to put there if the board does not imply it; null: none. */
  shape?: string | null | undefined;
}

/** A preview of the move: a glowing wall, a disc in its hole, or a pale piece. */
export function Ghost({ board, gap, target, selected, owner, dragged, shape: put }: GhostProps) {
  const { x, y } = target.middle;
  if (target.kind !== "cell") return <Wall edge={{ at: [target.at[0], target.at[1]], side: target.kind, owner }} className="ghost" />;
  const shape = put === undefined ? ghostShape(board, target, selected, owner) : put;
  return (
    <g class="ghost">
      {flat(board) && <Square at={target.at} gap={gap} className="aim" />}
      {shape && !dragged && (
        <g class="shadow" transform={`translate(${x} ${y})`}>
          <PieceShape shape={shape} owner={owner} />
        </g>
      )}
      {shape && board.style === "drop" && (
        <g class="in-hand" style={{ transform: `translate(${x}px, -46px) scale(0.82)` }}>
          <PieceShape shape={shape} owner={owner} />
        </g>
      )}
    </g>
  );
}

/** Return the shape for the target cell: that of the moving piece, or the only shape that this player has. */
function ghostShape(board: Board, target: Target, selected: Cell | null, owner: number | null): string | null {
  const source = selected ?? target.choices[0]?.source;
  if (source) return board.pieces.find((piece) => sameCell(piece.at, source) && piece.owner === owner)?.shape ?? null;
  if (board.style === "drop") return "disc";
  if (board.style === "points") return "stone";
  const shapes = new Set(board.pieces.filter((piece) => piece.owner === owner).map((piece) => piece.shape));
  const [only] = shapes;
  return shapes.size === 1 && only ? only : null;
}

/** The sign for a wall that cannot be built. */
export function Forbidden({ edge }: { edge: Edge }) {
  return <Wall edge={edge} className="forbidden" />;
}

export function Dragged({ board, drag, owner }: { board: Board; drag: Drag; owner: number | null }) {
  const piece = board.pieces.find((one) => sameCell(one.at, drag.source) && one.owner === owner);
  if (!piece) return null;
  return (
    <g class="dragged" transform={`translate(${drag.at.x} ${drag.at.y})`}>
      <PieceShape shape={piece.shape} owner={piece.owner} />
    </g>
  );
}

/** The premoves, drawn on the board. */
export function Premoves({ board, premoves, gap, owner }: { board: Board; premoves: Premove[]; gap: number; owner: number | null }) {
  return (
    <>
      {premoves.map(({ kind, at, source }, index) =>
        kind === "right" || kind === "top" ? (
          <Wall key={index} edge={{ at: [at[0], at[1]], side: kind, owner }} className="premove" />
        ) : (
          <g key={index}>
            {source && <Square at={source} gap={flat(board) ? gap : 20} className="premove" />}
            <Square at={at} gap={flat(board) ? gap : 20} className="premove" />
          </g>
        ),
      )}
    </>
  );
}
