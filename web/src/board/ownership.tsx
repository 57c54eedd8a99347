// Draws the engine's ownership forecast: a square on each cell, larger and more opaque with the engine's certainty.
import type { Board } from "../api.gen.ts";
import { PITCH, allCells, centre, sameCell } from "./geometry.ts";

const LEAST = 0.15; // weaker forecasts are not drawn

/** Draws `ownership`: for each row from the top, values from -1 (player 1) to 1 (player 0). */
export function Ownership({ board, ownership }: { board: Board; ownership: number[][] }) {
  return (
    <g class="ownership" aria-hidden="true">
      {allCells(board).map(([row, column]) => {
        const value = ownership[row]?.[column] ?? 0;
        const sure = Math.abs(value);
        const stands = board.pieces.find((piece) => sameCell(piece.at, [row, column]));
        // no sign on a piece that is expected to survive
        if (sure < LEAST || stands?.owner === (value > 0 ? 0 : 1)) return null;
        const { x, y } = centre(board, [row, column]);
        const side = (0.16 + 0.2 * sure) * PITCH;
        return (
          <rect
            key={`${row}-${column}`}
            class={value > 0 ? "owner-0" : "owner-1"}
            x={x - side / 2}
            y={y - side / 2}
            width={side}
            height={side}
            opacity={0.35 + 0.6 * sure}
          />
        );
      })}
    </g>
  );
}
