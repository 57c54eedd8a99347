// The list of moves; a click shows the position after that move.
import { useRef } from "preact/hooks";
import type { GameState, MoveInfo } from "../api.gen.ts";
import { chanceOf, lossOf } from "../chances.ts";
import { useInView } from "../in-view.ts";
import type { Mark } from "./judgement.ts";
import { rowsOf } from "./words.ts";

interface MovesProps {
  state: GameState;
  /** The ply on the board. */
  ply: number;
  onPly: (ply: number) => void;
  /** The judgements of moves, by ply. */
  judged: Map<number, Mark>;
  /** The evaluations by ply; null while they are not shown. */
  evaluations?: (number | null)[] | null;
}

export function Moves({ state, ply, onPly, judged, evaluations = null }: MovesProps) {
  const list = useRef<HTMLOListElement>(null);
  useInView(list, [ply, state.moves.length]);

  if (!state.moves.length) return <p class="no-moves">Moves appear here. Click a move or use the arrow keys to look back.</p>;
  const cell = (move: MoveInfo | null) =>
    move ? (
      <button
        type="button"
        class={`move owner-${move.player}`}
        aria-current={move.ply === ply ? "true" : undefined}
        title={titleOf(move, evaluations?.[move.ply] ?? null)}
        onClick={() => onPly(move.ply)}
      >
        <span class="notation">{move.text}</span>
        <Verdict judgement={judged.get(move.ply)} />
      </button>
    ) : (
      <span class="move" />
    );
  return (
    <ol class="moves" ref={list} aria-label="Moves">
      {rowsOf(state.moves).map((row) => (
        <li key={row.number}>
          <span class="number">{row.number}</span>
          {cell(row.cells[0])}
          {cell(row.cells[1])}
        </li>
      ))}
    </ol>
  );
}

/** The win chance of a move's player after it, as a tooltip; none if it is unknown. */
function titleOf({ player }: MoveInfo, value: number | null): string | undefined {
  return value === null ? undefined : `Win chance after this move: ${chanceOf(value, player)}`;
}

/** The annotation symbol after a move. */
export function Verdict({ judgement }: { judgement: Mark | undefined }) {
  if (!judgement) return null;
  const { kind, sign, loss } = judgement;
  const title = kind === "best" ? "best move" : kind === "only" ? "only good move" : `${kind}: ${lossOf(loss)} of the win chance lost`;
  return (
    <abbr class={`verdict ${kind}`} title={title}>
      {sign}
    </abbr>
  );
}
