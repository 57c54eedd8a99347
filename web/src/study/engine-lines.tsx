// The principal variations of an engine; a click on a move plays the line up to it.
import type { ComponentChildren } from "preact";
import type { LineEvaluation, LineInfo } from "../api.gen.ts";
import { chanceOf } from "../chances.ts";

interface BestLineProps {
  /** The value of the line from player 0's view. */
  evaluation: number;
  /** What a forced win is called; empty for other lines. */
  words?: string;
  /** The side whose win chance is shown. */
  side: number;
  /** What the win chance is, as a tooltip. */
  title: string;
  moves: string[];
  /** The number of the line's moves on the board; 0: it is not on the board. */
  at?: number;
  /** The tooltip of the moves. */
  hint?: string;
  /** Called with a number of moves from the start of the line. */
  onPlay: (count: number) => void;
  /** Elements between the win chance and the moves. */
  children?: ComponentChildren;
}

/** One line: the win chance and the moves. */
export function BestLine({ evaluation, words, side, title, moves, at = 0, hint, onPlay, children }: BestLineProps) {
  return (
    <li>
      <strong title={title}>{words || chanceOf(evaluation, side)}</strong>
      {children}
      <span class="line-moves">
        {moves.map((text, index) => (
          <button key={index} type="button" class="move" title={hint} aria-current={at === index + 1 ? "true" : undefined} onClick={() => onPlay(index + 1)}>
            {text}
          </button>
        ))}
      </span>
    </li>
  );
}

/** Return the actions of the first `count` moves of a line. */
export function actionsOf({ moves, actions }: Pick<LineInfo, "moves" | "actions">, count: number): number[] {
  const ends = moves.map((move) => move.ply);
  const begin = (ends[moves.length - 1] ?? 0) - actions.length;
  return actions.slice(0, (ends[count - 1] ?? begin) - begin);
}

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
        <BestLine
          key={index}
          evaluation={line.evaluation}
          words={line.words}
          side={side}
          title={`Win chance of ${name} after ${line.visits} visits`}
          moves={line.moves.slice(0, SHOWN).map((move) => move.text)}
          onPlay={(count) => onPlay(line, count)}
        >
          <span class="share-of-visits" aria-hidden="true" style={{ "--share": line.visits / most }} />
        </BestLine>
      ))}
      {found.lines.length === 0 && found.bestMove && <li>Best: {found.bestMove}</li>}
    </ol>
  );
}
