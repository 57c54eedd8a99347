// Learning from the mistakes of a reviewed game, one at a time: the position before it, and a better move to find.
import { useMemo, useState } from "preact/hooks";
import { useAnswer } from "../answer.ts";
import type { GameState, Replay, StudyView } from "../api.gen.ts";
import { study } from "../api.ts";
import { Chip } from "../board/chip.tsx";
import { colourOf, sidesOf } from "../board/colours.ts";
import { frame } from "../board/geometry.ts";
import { canTurn } from "../board/turned.ts";
import { Button } from "../button.tsx";
import { lossOf } from "../chances.ts";
import { playerOf } from "../game/words.ts";
import { Icon } from "../icons.tsx";
import type { OnNotice } from "../notice.ts";
import { usePrefs } from "../prefs.ts";
import { Delayed } from "../refused.tsx";
import { BestLine } from "../study/engine-lines.tsx";
import { StudyBoard } from "../study/study-board.tsx";
import type { Reviewed } from "./use-reviewed.ts";
import { useMistake } from "./use-mistake.ts";
import type { Evaluate, Learning, Mistake } from "./use-mistake.ts";
import { numbered } from "./words.ts";

interface LearnProps {
  game: Replay;
  state: GameState;
  reviewed: Reviewed;
  /** The numbers of moves before the mistakes. */
  mistakes: number[];
  /** Evaluates the moves that are tried. */
  evaluate: Evaluate;
  onClose: () => void;
  onNotice: OnNotice;
}

export function Learn({ game, state, reviewed: { marks, positions }, mistakes, evaluate, onClose, onNotice }: LearnProps) {
  const [at, setAt] = useState(0);
  const number = mistakes[at] ?? 0;
  const moves = game.moves.slice(0, number).map((move) => move.text);
  const { found, error, again } = useAnswer(() => study({ spec: game.game.spec, setup: game.setup, moves }), [number]);
  const move = state.moves[number];
  const position = positions[number];
  if (error) return <Delayed error={error} onAgain={again} />;
  if (!move || !position || found?.moves.length !== number) return <main class="middle" />;
  const mistake = { number, player: move.player, played: move.text, loss: marks.get(move.ply)?.loss ?? 0, position };
  return (
    <OneMistake
      key={number}
      game={game}
      state={state}
      mistake={mistake}
      first={found}
      place={`Mistake ${at + 1} of ${mistakes.length}`}
      evaluate={evaluate}
      onNext={at + 1 < mistakes.length ? () => setAt(at + 1) : null}
      onClose={onClose}
      onNotice={onNotice}
    />
  );
}

interface OneProps extends Pick<LearnProps, "game" | "state" | "evaluate" | "onClose" | "onNotice"> {
  mistake: Mistake;
  first: StudyView;
  /** `Mistake 1 of 3`. */
  place: string;
  onNext: (() => void) | null;
}

function OneMistake({ game, state, mistake, first, evaluate, place, onNext, onClose, onNotice }: OneProps) {
  const { coordinates } = usePrefs();
  const learning = useMistake(game, mistake, first, evaluate, onNotice);
  const { study: line, stage } = learning;
  const { board } = first;
  const { player } = mistake;
  const flip = canTurn(board) && board.opposite && player === 1;
  const box = useMemo(() => frame(board, coordinates, true), [board, coordinates]);
  const isOpen = stage === "right" || stage === "shown";
  return (
    <main class={`puzzle ${board.style}`} style={{ ...sidesOf(board), "--aspect": box.width / box.height }}>
      <section class="task">
        <p class="place">{place}</p>
        <h1>Find a better move than {numbered(state.moves, mistake.number)}</h1>
        <p class="mover">
          <Chip owner={colourOf(board, player)} /> {playerOf(state, player).name} is to move.
        </p>
        <p class="quiet-note">
          {mistake.played} lost {lossOf(mistake.loss)} of the win chance.
        </p>
      </section>
      <section class="board-area" aria-label="Board">
        <StudyBoard study={line} label="Board for a better move" flip={flip} locked={stage === "judging" || stage === "wrong"} />
      </section>
      <section class="answer" aria-label="Answer">
        <div role="status" class={`verdict-line ${stage}`}>
          <Verdict learning={learning} mistake={mistake} />
        </div>
        <div class="row">
          {stage === "wrong" && (
            <button type="button" class="button primary" onClick={learning.again}>
              <Icon name="again" /> Try again
            </button>
          )}
          {onNext && (
            <button type="button" class={`button ${isOpen ? "primary" : ""}`} onClick={onNext}>
              <Icon name="forward" /> Next mistake
            </button>
          )}
          {!isOpen && (
            <Button disabled={stage === "judging"} onClick={learning.show}>
              <Icon name="eye" /> Show the best move
            </Button>
          )}
          <button type="button" class={`button ${isOpen && !onNext ? "primary" : ""}`} onClick={onClose}>
            <Icon name="undo" /> Back to the review
          </button>
        </div>
        {isOpen && (
          <div class="panel explanation">
            <h2>Best lines</h2>
            <ol class="engine-lines">
              {mistake.position.lines.map((one, index) => (
                <BestLine
                  key={index}
                  evaluation={one.evaluation}
                  words={one.words}
                  side={player}
                  title="Win chance"
                  moves={one.moves}
                  hint="Play it on the board"
                  onPlay={(count) => learning.playLine(one.moves, count)}
                />
              ))}
            </ol>
          </div>
        )}
      </section>
    </main>
  );
}

function Verdict({ learning: { stage, move, loss, study: line }, mistake }: { learning: Learning; mistake: Mistake }) {
  if (stage === "judging") return <span class="spinner" aria-label="Judging your move" />;
  if (stage === "right") {
    const isBest = move === mistake.position.bestMove;
    return (
      <>
        <Icon name="done" /> <strong>{isBest ? `${move} is the judge's move.` : `${move} is as good as the judge's move, ${mistake.position.bestMove}.`}</strong>
      </>
    );
  }
  if (stage === "wrong") {
    const why = move === mistake.played ? "is the move of the game" : `gives up ${lossOf(loss ?? 0)} of the win chance`;
    return (
      <>
        <Icon name="cross" /> <strong>{`${move} ${why}.`}</strong>
      </>
    );
  }
  if (stage === "shown") return <span>The best move is {mistake.position.bestMove}. Try moves on the board.</span>;
  return <span>{line.at ? "Finish your move on the board." : "Make your move on the board."}</span>;
}
