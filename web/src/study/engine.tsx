// The engine's panel on the analysis board: its best lines, and how deep it has looked.
import type { LineInfo, MoveInfo, StudyView } from "../api.gen.ts";
import { EngineLines } from "./engine-lines.tsx";
import type { Judged } from "./use-line-evaluation.ts";

interface EngineProps {
  engine: Judged;
  view: StudyView;
  /** Play actions whose moves are known. */
  onPlay: (actions: number[], moves: MoveInfo[]) => void;
}

export function Engine({ engine, view, onPlay }: EngineProps) {
  const { found } = engine;
  return (
    <section class="panel engine" aria-label="Engine">
      <h2>{found?.bot ? `Evaluation by ${found.bot}` : "Engine"}</h2>
      {engine.words && (
        <p class="quiet-note" role="status">
          {engine.words}
        </p>
      )}
      {found && <EngineLines side={view.toPlay} name={view.players[view.toPlay === 1 ? 1 : 0]} found={found} onPlay={(line, count) => onPlay(actionsOf(line, count), line.moves)} />}
    </section>
  );
}

/** Return the actions of the first `count` moves of a line. */
function actionsOf({ moves, actions }: LineInfo, count: number): number[] {
  const ends = moves.map((move) => move.ply);
  const begin = (ends[moves.length - 1] ?? 0) - actions.length;
  return actions.slice(0, (ends[count - 1] ?? begin) - begin);
}
