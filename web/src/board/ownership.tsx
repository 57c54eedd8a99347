// Whose each cell will be, as an engine expects it: the surer, the larger and fuller the square.
import type { Board } from "../api.gen.ts";
import { PITCH, centre, sameCell } from "./geometry.ts";

const LEAST = 0.15; // nearer to nobody's than this is not drawn

/** `ownership` is seen by player 0, from -1 to 1, row by row as the board stands. */
export function Ownership({ board, ownership }: { board: Board; ownership: number[][] }) {
  return (
    <g class="ownership" aria-hidden="true">
      {ownership.slice(0, board.rows).flatMap((cells, row) =>
        cells.slice(0, board.columns).map((value, column) => {
          const sure = Math.abs(value);
          const stands = board.pieces.find((piece) => sameCell(piece.at, [row, column]));
          // a piece on its own ground needs no sign; one that will be lost does
          if (sure < LEAST || stands?.owner === (value > 0 ? 0 : 1)) return null;
          const { x, y } = centre([row, column]);
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
        }),
      )}
    </g>
  );
}
