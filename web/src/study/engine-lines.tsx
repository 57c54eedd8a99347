// The engine's principal variations; a click on a move plays the line up to it.
import type { LineEvaluation, LineInfo } from "../api.gen.ts";
import { chanceOf } from "../chances.ts";

interface LinesProps {
  /** The side to move, whose win chances are shown. */
  side: number;
  /** Its name. */
  name: string;
  found: LineEvaluation;
  onPlay: (line: LineInfo, count: number) => void;
}

const SHOWN = 8; // moves shown of each line

export function EngineLines({ side, name, found, onPlay }: LinesProps) {
  const most = Math.max(1, ...found.lines.map((line) => line.visits));
  return (
    <ol class="engine-lines" aria-label={`Engine lines, with the win chance of ${name}`}>
      {found.lines.map((line, index) => (
        <li key={index}>
          <strong title={`Win chance of ${name} after ${line.visits} visits`}>{chanceOf(line.evaluation, side)}</strong>
          <span class="share-of-visits" aria-hidden="true" style={{ "--share": line.visits / most }} />
          <span class="line-moves">
            {line.moves.slice(0, SHOWN).map((move, count) => (
              <button key={count} type="button" class="move" onClick={() => onPlay(line, count + 1)}>
                {move.text}
              </button>
            ))}
          </span>
        </li>
      ))}
      {found.lines.length === 0 && found.bestMove && <li>Best: {found.bestMove}</li>}
    </ol>
  );
}
