// The Learn pages: a list of games, and for each game a lesson with its rules and boards to try them.
import { useEffect, useState } from "preact/hooks";
import { useAnswer } from "../answer.ts";
import type { Lesson, LessonPart as Part } from "../api.gen.ts";
import { lesson, lessons } from "../api.ts";
import { sidesOf } from "../board/colours.ts";
import { BoardPicture } from "../board/drawing.tsx";
import { Icon } from "../icons.tsx";
import { prefersStillness } from "../motion.ts";
import type { OnNotice } from "../notice.ts";
import { isDone } from "./done.ts";
import { PuzzleShelf, usePuzzleGames } from "../puzzles/shelf.tsx";
import { Nothing } from "../refused.tsx";
import { StudyBoard } from "../study/study-board.tsx";
import { useStudy } from "../study/use-study.ts";

interface Noticing {
  onNotice: OnNotice;
}

export function LearnPage() {
  const { found, error } = useAnswer(lessons, []);
  const { found: games } = usePuzzleGames();
  useEffect(() => {
    document.title = "Learn – Ludus";
  }, []);
  return (
    <main class="page">
      <h1>Learn a game</h1>
      {error && <p class="line-lost">{error.message}</p>}
      <ul class="shelf">
        {found?.map((one) => (
          <li key={one.game} class={one.view.board.style} style={sidesOf(one.view.board)}>
            <a class="card" href={`/learn/${one.game}`}>
              <span class="picture" aria-hidden="true">
                <BoardPicture board={one.view.board} label="" />
              </span>
              <span class="words">
                <strong>{one.title}</strong>
                <span>{one.summary}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
      {found && games && games.length > 0 && (
        <section aria-labelledby="puzzles">
          <h2 id="puzzles" class="puzzles-of">
            Puzzles
          </h2>
          <PuzzleShelf games={games} />
        </section>
      )}
    </main>
  );
}

export function LessonPage({ game, onNotice }: { game: string } & Noticing) {
  const { found, error, again } = useAnswer(() => lesson(game), [game]);
  const { found: games } = usePuzzleGames();
  useEffect(() => {
    if (found) document.title = `${found.title}: the rules – Ludus`;
  }, [found]);
  if (error) return <Nothing heading="There is no such lesson" error={error} onAgain={again} href="/learn" instead="All lessons" />;
  if (!found) return <main class="middle" />;
  return (
    <main class="page lesson">
      <h1>{found.title}</h1>
      <p class="lead">{found.summary}</p>
      {found.parts.map((part, index) => (
        <LessonPart key={part.title} part={part} next={found.parts[index + 1]?.title ?? null} game={found} onNotice={onNotice} />
      ))}
      <p class="lesson-end">
        <a class="button primary large" href={`/?game=${encodeURIComponent(game)}`}>
          Play {found.title}
        </a>
        {games?.some((one) => one.game === game) && (
          <a class="button large" href={`/puzzles/${encodeURIComponent(game)}`}>
            Puzzles
          </a>
        )}
      </p>
    </main>
  );
}

interface PartProps extends Noticing {
  part: Part;
  /** The title of the part after this one; null for the last one. */
  next: string | null;
  game: Lesson;
}

function LessonPart({ part, next, game, onNotice }: PartProps) {
  const study = useStudy(part, part.view, onNotice);
  const [reached, setReached] = useState(false);
  useEffect(() => {
    if (part.done && isDone(part.done, study.view.moves, part.view.ply)) setReached(true); // and stays so when the moves are taken back
  }, [study.view]);
  const again = () => {
    setReached(false);
    study.start();
  };
  return (
    <section class={`panel part ${reached ? "reached" : ""}`} id={idOf(part.title)}>
      <div>
        <h2 tabindex={-1}>{part.title}</h2>
        {part.text.split("\n\n").map((paragraph) => (
          <p key={paragraph}>{marked(paragraph)}</p>
        ))}
        {part.goal && (
          <p class="goal">
            <strong>Try it.</strong> {marked(part.goal)}
          </p>
        )}
        <div role="status">
          {reached && (
            <p class="well-done">
              <Icon name="done" /> <strong>Well done.</strong>
            </p>
          )}
        </div>
        {reached && (
          <p class="onward">
            {next ? (
              <button type="button" class="button primary" onClick={() => goTo(next)}>
                Next: {next}
              </button>
            ) : (
              <a class="button primary" href={`/?game=${encodeURIComponent(game.game)}`}>
                Play {game.title}
              </a>
            )}
            <button type="button" class="button quiet" onClick={again}>
              Try it again
            </button>
          </p>
        )}
      </div>
      <StudyBoard study={study} label={`${part.title}: practice board`} />
    </section>
  );
}

const idOf = (title: string) => `part-${title.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`;

/** Scroll to a part of the lesson, and continue there with the keyboard. */
function goTo(title: string): void {
  const part = document.getElementById(idOf(title));
  part?.scrollIntoView({ behavior: prefersStillness() ? "instant" : "smooth", block: "start" });
  part?.querySelector("h2")?.focus({ preventScroll: true });
}

/** Render the notation between backticks as code. */
function marked(text: string) {
  return text.split("`").map((piece, index) => (index % 2 ? <code key={index}>{piece}</code> : piece));
}
