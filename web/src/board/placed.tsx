// Draws the pieces where they stand: alone, side by side, on one another, or as a heap; and the texts on cells.
import type { Board, Label, Piece } from "../api.gen.ts";
import { isOnBoard, isPit } from "./cells.tsx";
import { PITCH, sameCell, spotOf } from "./geometry.ts";
import type { Cell, DrawnCell } from "./geometry.ts";
import type { Known } from "./identity.ts";
import { PieceShape, ownerClass, sizeOf } from "./pieces.tsx";

interface PlacedProps {
  board: Board;
  pieces: Known[];
  /** The cells of a winning line. */
  won: Set<string>;
  /** The cell whose piece is being dragged. */
  lifted: Cell | null | undefined;
}

export function PlacedPieces({ board, pieces, won, lifted }: PlacedProps) {
  const company = new Map<string, Piece[]>();
  for (const { piece } of pieces) company.set(String(piece.at), [...(company.get(String(piece.at)) ?? []), piece]);
  return (
    <>
      {pieces.map(({ key, piece, fresh }) => {
        const here = company.get(String(piece.at)) ?? [piece];
        const spot = spotOf(board, piece.at);
        const { x, y, scale } = placeIn(board, spot, here.indexOf(piece), here.length);
        const isLifted = sameCell(piece.at, lifted) && (!isPile(board, piece.at) || here.at(-1) === piece);
        return (
          <g
            key={key}
            class={`piece ${fresh ? "fresh" : ""} ${won.has(String(piece.at)) ? "won" : ""} ${isLifted ? "lifted" : ""}`}
            style={{ transform: `translate(${x}px, ${y}px) scale(${scale})` }}
          >
            <g class="body" style={{ "--fall": `${-y - 40}px`, "--fall-time": `${0.12 + 0.13 * Math.sqrt(piece.at[0] + 1)}s` }}>
              <PieceShape shape={piece.shape} owner={piece.owner} />
            </g>
          </g>
        );
      })}
      {[...company].map(([key, here]) => isCounted(board, here) && <Count key={key} board={board} pieces={here} />)}
      {board.labels.map((label) => (
        <CellLabel key={String(label.at)} board={board} label={label} top={company.get(String(label.at))?.at(-1) ?? null} />
      ))}
    </>
  );
}

/** Whether the number of pieces on a cell is written: that of a pile, and in pits also a single one. */
function isCounted(board: Board, here: Piece[]): boolean {
  const { at } = here[0]!;
  return isPit(board, at) || (here.length > 1 && isPile(board, at));
}

/** Whether several pieces on a cell are a pile or a heap, rather than one beside the other. */
function isPile(board: Board, at: Cell): boolean {
  return board.stacked || isPit(board, at) || !isOnBoard(board, at);
}

const TURN = Math.PI * (3 - Math.sqrt(5)); // golden angle: seeds at multiples of it fill a disc evenly

/** Return where a piece is drawn that is number `index` of `count` on its cell. */
function placeIn(board: Board, { at, x, y, width, height }: DrawnCell, index: number, count: number): { x: number; y: number; scale: number } {
  if (isPit(board, at)) {
    if (count === 1) return { x, y: y - 12, scale: 1 };
    const across = 0.25 * width * Math.sqrt((index + 0.5) / Math.max(count, 4));
    const longer = Math.max(1, (height / width) * 0.9);
    return { x: x + across * Math.cos(index * TURN), y: y - 12 + across * longer * Math.sin(index * TURN), scale: 1 };
  }
  if (isPile(board, at)) {
    // the whole pile fits into its cell, however many lie in it; in a tray it is lower
    const [most, high] = isOnBoard(board, at) ? [9, 26] : [4, 17];
    const step = Math.min(most, high / Math.max(1, count - 1));
    const scale = (isOnBoard(board, at) ? 0.96 : 0.88) - (step * (count - 1)) / PITCH;
    return { x, y: y + (step * (count - 1)) / 2 - step * index, scale };
  }
  if (count === 1) return { x, y, scale: 1 };
  const shift = (index / (count - 1) - 0.5) * 40;
  return { x: x + shift, y: y + shift, scale: 0.64 };
}

/** The number of pieces in a pile or a heap. */
function Count({ board, pieces }: { board: Board; pieces: Piece[] }) {
  const { at, x, y, width, height } = spotOf(board, pieces[0]!.at);
  if (isPit(board, at)) {
    return (
      <text class="count heap" x={x} y={y + height / 2 - 13}>
        {pieces.length}
      </text>
    );
  }
  return (
    <g class="count" transform={`translate(${x + 0.27 * width} ${y + 0.27 * height})`}>
      <circle r="17" />
      <text y="8">{pieces.length}</text>
    </g>
  );
}

function CellLabel({ board, label: { at, text }, top }: { board: Board; label: Label; top: Piece | null }) {
  const { x, y } = spotOf(board, at);
  const size = 0.85 * sizeOf(text);
  return (
    <g class={top ? ownerClass(top.owner) : "bare"}>
      <text class="letter" x={x} y={y + 0.35 * size} font-size={size}>
        {text}
      </text>
    </g>
  );
}
