// Hints for pointing: marks on movable pieces and possible destinations, and previews of a move and of premoves.
import type { Board, Edge } from "../api.gen.ts";
import { CellShape, isOnBoard } from "./cells.tsx";
import { Wall } from "./drawing.tsx";
import { centre, isFlat, sameCell } from "./geometry.ts";
import type { Cell } from "./geometry.ts";
import { PieceShape } from "./pieces.tsx";
import type { Premove } from "./premoves.ts";
import type { Target } from "./targets.ts";
import type { Drag } from "./use-pointer.ts";

interface SourcesProps {
  board: Board;
  sources: Cell[];
  selected: Cell | null;
  gap: number;
  /** Whether to mark every movable piece; only useful if there are few. */
  all: boolean;
}

export function Sources({ board, sources, selected, gap, all }: SourcesProps) {
  return (
    <>
      {sources.map((source) => {
        const chosen = sameCell(source, selected);
        if (!all && !chosen) return null;
        const name = chosen ? "source selected" : "source";
        const { x, y } = centre(board, source);
        return isFlat(board) || !isOnBoard(board, source) ? (
          <CellShape key={String(source)} board={board} at={source} gap={gap} class={name} />
        ) : (
          <circle key={String(source)} class={name} cx={x} cy={y} r={52} />
        );
      })}
    </>
  );
}

/** A dot on every possible destination, a ring if it is occupied. */
export function Dots({ board, targets, few }: { board: Board; targets: Target[]; few: boolean }) {
  if (!few) return null;
  return (
    <>
      {targets.map((target) => {
        // on crossings of lines, only where a piece can move: new stones can be put almost everywhere
        if (target.kind !== "cell" || (!isFlat(board) && !target.choices[0]?.source)) return null;
        const { x, y } = target.middle;
        const taken = board.pieces.some((piece) => sameCell(piece.at, target.at));
        return <circle key={target.key} class={taken ? "dot taken" : "dot"} cx={x} cy={y} r={taken ? 42 : isFlat(board) ? 11 : 17} />;
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
  if (target.kind !== "cell") return <Wall board={board} edge={{ at: [target.at[0], target.at[1]], side: target.kind, owner }} className="ghost" />;
  const shape = put === undefined ? ghostShape(board, target, selected, owner) : put;
  return (
    <g class="ghost">
      {isFlat(board) && <CellShape board={board} at={target.at} gap={gap} class="aim" />}
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
export function Forbidden({ board, edge }: { board: Board; edge: Edge }) {
  return <Wall board={board} edge={edge} className="forbidden" />;
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
          <Wall key={index} board={board} edge={{ at: [at[0], at[1]], side: kind, owner }} className="premove" />
        ) : (
          <g key={index}>
            {source && <CellShape board={board} at={source} gap={isFlat(board) ? gap : 20} class="premove" />}
            <CellShape board={board} at={at} gap={isFlat(board) ? gap : 20} class="premove" />
          </g>
        ),
      )}
    </>
  );
}
