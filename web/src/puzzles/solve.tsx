// The display of one puzzle: task, board, verdict on the last try, and the engine's explanation.
import { useMemo } from "preact/hooks";
import type { PuzzleView, Solution, SolverRating } from "../api.gen.ts";
import { Chip } from "../board/chip.tsx";
import { colourOf, sidesOf } from "../board/colours.ts";
import { frame } from "../board/geometry.ts";
import { canTurn } from "../board/turned.ts";
import { Button } from "../button.tsx";
import { Icon } from "../icons.tsx";
import type { OnNotice } from "../notice.ts";
import { usePrefs } from "../prefs.ts";
import { signed } from "../ratings/words.ts";
import { BestLine, actionsOf } from "../study/engine-lines.tsx";
import { StudyBoard } from "../study/study-board.tsx";
import { StudyHere } from "../study/study-here.tsx";
import { usePuzzle } from "./use-puzzle.ts";
import type { Solving } from "./use-puzzle.ts";
import { goalWords, ratingWords, reasons } from "./words.ts";

interface SolveProps {
  game: string;
  /** `Puzzle 3 of 12`. */
  place: string;
  puzzle: PuzzleView;
  /** The person's rating when the page was opened; null while it is unknown. */
  you: SolverRating | null;
  onNext: (() => void) | null;
  onNotice: OnNotice;
}

export function Solve({ game, place, puzzle, you, onNext, onNotice }: SolveProps) {
  const { coordinates } = usePrefs();
  const solving = usePuzzle(game, puzzle, onNotice);
  const { study, stage, rated } = solving;
  const { board, players, moves, ply } = puzzle.view;
  const player = puzzle.player === 1 ? 1 : 0;
  const flip = canTurn(board) && board.opposite && player === 1;
  const box = useMemo(() => frame(board, coordinates, true), [board, coordinates]);
  const isOpen = stage === "right" || stage === "shown";
  return (
    <main class={`puzzle ${board.style}`} style={{ ...sidesOf(board), "--aspect": box.width / box.height }}>
      <section class="task">
        <p class="place">
          <a href="/puzzles">Puzzles</a> <span aria-hidden="true">·</span> {puzzle.title} <span aria-hidden="true">·</span> {place}
        </p>
        <h1>{goalWords(puzzle)}</h1>
        <p class="mover">
          <Chip owner={colourOf(board, player)} /> You play {players[player]}.
        </p>
        <p class="quiet-note">{puzzle.rules}</p>
      </section>
      <section class="board-area" aria-label="Board">
        <StudyBoard study={study} label="Puzzle board" flip={flip} locked={stage === "judging" || stage === "wrong"} />
      </section>
      <section class="answer" aria-label="Answer">
        <div role="status" class={`verdict-line ${stage}`}>
          <Verdict solving={solving} />
        </div>
        {rated ? (
          <p class={`solver-rating ${rated.change < 0 ? "fell" : "rose"}`} role="status">
            <strong>{ratingWords(rated.you)}</strong> <span class="change">{signed(rated.change)}</span>{" "}
            <span>This puzzle: {rated.puzzle}</span>
          </p>
        ) : (
          you && <p class="solver-rating">{ratingWords(you)}</p>
        )}
        <div class="row">
          {stage === "wrong" && (
            <button type="button" class="button primary" onClick={solving.again}>
              <Icon name="again" /> Try again
            </button>
          )}
          {onNext && (
            <button type="button" class={`button ${isOpen ? "primary" : ""}`} onClick={onNext}>
              <Icon name="forward" /> {isOpen ? "Next puzzle" : "Another puzzle"}
            </button>
          )}
          {!isOpen && (
            <Button disabled={stage === "judging"} onClick={solving.show}>
              <Icon name="eye" /> Show the solution
            </Button>
          )}
          {isOpen && <StudyHere spec={puzzle.spec} setup={puzzle.setup} moves={moves} ply={ply} />}
        </div>
        {isOpen && solving.found && <Explanation found={solving.found} player={player} onPlay={solving.playLine} />}
      </section>
    </main>
  );
}

function Verdict({ solving: { stage, move, study } }: { solving: Solving }) {
  if (stage === "judging") return <span class="spinner" aria-label="Checking your move" />;
  if (stage === "right") {
    return (
      <>
        <Icon name="done" /> <strong>{move} is right.</strong>
      </>
    );
  }
  if (stage === "wrong") {
    return (
      <>
        <Icon name="cross" /> <strong>{move} is not the solution.</strong>
      </>
    );
  }
  if (stage === "shown") return <span>The solution is below. Try moves on the board.</span>;
  return <span>{study.at ? "Finish your move on the board." : "Make your move on the board."}</span>;
}

interface ExplanationProps {
  found: Solution;
  /** The player from whose view values are shown. */
  player: number;
  onPlay: Solving["playLine"];
}

function Explanation({ found, player, onPlay }: ExplanationProps) {
  return (
    <div class="panel explanation">
      <h2>{found.lines.length === 1 ? "The right move" : "The right moves"}</h2>
      <ul class="engine-lines">
        {found.lines.map((line, index) => (
          <BestLine
            key={index}
            evaluation={line.evaluation}
            side={player}
            title="Win chance"
            moves={line.moves.map((move) => move.text)}
            hint="Play it on the board"
            onPlay={(count) => onPlay(actionsOf(line, count), line.moves)}
          />
        ))}
      </ul>
      {found.themes.length > 0 && (
        <ul class="themes" aria-label="Themes">
          {found.themes.map((theme) => (
            <li key={theme}>{theme}</li>
          ))}
        </ul>
      )}
      {reasons(found, player).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      <p class="quiet-note">Win chances are from your side.</p>
    </div>
  );
}
