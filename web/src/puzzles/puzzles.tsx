// The puzzle pages: a list of games with puzzles, and for each game a page that shows one puzzle at a time.
import { useEffect, useState } from "preact/hooks";
import { useAnswer } from "../answer.ts";
import type { Answered } from "../answer.ts";
import type { PuzzleGame } from "../api.gen.ts";
import { puzzle as ask, puzzleGames } from "../api.ts";
import { sidesOf } from "../board/colours.ts";
import { BoardPicture } from "../board/drawing.tsx";
import type { OnNotice } from "../notice.ts";
import { Nothing, Refused } from "../refused.tsx";
import { Solve } from "./solve.tsx";
import { solved } from "./solved.ts";
import { countWords, nextPuzzle } from "./words.ts";

/** Fetch the games that have puzzles. */
export function usePuzzleGames(): Answered<PuzzleGame[]> {
  return useAnswer(puzzleGames, []);
}

export function PuzzleShelf({ games }: { games: PuzzleGame[] }) {
  const done = solved();
  return (
    <ul class="shelf">
      {games.map((one) => (
        <li key={one.game} class={one.view.board.style} style={sidesOf(one.view.board)}>
          <a class="card" href={`/puzzles/${encodeURIComponent(one.game)}`}>
            <span class="picture" aria-hidden="true">
              <BoardPicture board={one.view.board} label="" />
            </span>
            <span class="words">
              <strong>{one.title}</strong>
              <span>{countWords(one.puzzles, done)}</span>
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}

export function PuzzlesPage() {
  const { found: games, error } = usePuzzleGames();
  useEffect(() => {
    document.title = "Puzzles – Ludus";
  }, []);
  if (games && !games.length) {
    return <Refused heading="There are no puzzles" trouble="This site has no puzzles yet." href="/learn" instead="Learn a game" />;
  }
  return (
    <main class="page">
      <h1>Puzzles</h1>
      <p class="lead">Positions from games in which a player missed the only good move, or one of a few.</p>
      {error && <p class="line-lost">{error.message}</p>}
      {games && <PuzzleShelf games={games} />}
    </main>
  );
}

interface PuzzlePageProps {
  game: string;
  /** The puzzle's name; empty: the first unsolved one. */
  name: string;
  onNotice: OnNotice;
}

export function PuzzlePage({ game, name, onNotice }: PuzzlePageProps) {
  const { found: games, ...list } = usePuzzleGames();
  const [id, setId] = useState(name);
  const { found, ...single } = useAnswer(() => (id ? ask(game, id) : null), [id]);
  const here = games?.find((one) => one.game === game);
  useEffect(() => {
    if (here && !id) setId(here.puzzles.find((one) => !solved().has(one)) ?? here.puzzles[0] ?? "");
  }, [here]);
  useEffect(() => {
    if (here) document.title = `${here.title}: puzzles – Ludus`;
  }, [here, found]);
  const none = { heading: "There is no such puzzle", href: "/puzzles", instead: "All puzzles" };
  const { error, again } = list.error ? list : single;
  if (error) return <Nothing {...none} error={error} onAgain={again} />;
  if (games && !here) return <Refused {...none} trouble="This site has no puzzles for this game." />;
  if (!here || !found) return <main class="middle" />;
  const next = nextPuzzle(here.puzzles, found.id, solved());
  const onNext = () => {
    if (!next) return;
    history.replaceState(null, "", `/puzzles/${encodeURIComponent(game)}/${encodeURIComponent(next)}`);
    setId(next);
    scrollTo(0, 0);
  };
  const number = here.puzzles.indexOf(found.id) + 1;
  return (
    <Solve
      key={found.id}
      game={game}
      place={`Puzzle ${number} of ${here.puzzles.length}`}
      puzzle={found}
      onNext={next ? onNext : null}
      onNotice={onNotice}
    />
  );
}
