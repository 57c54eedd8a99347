// The puzzle pages: a list of games with puzzles, and for each game a page that shows one puzzle at a time.
import { useEffect, useState } from "preact/hooks";
import { useAnswer } from "../answer.ts";
import { puzzle as ask, followingPuzzle } from "../api.ts";
import type { OnNotice } from "../notice.ts";
import { Nothing, Refused } from "../refused.tsx";
import { PuzzleShelf, usePuzzleGames } from "./shelf.tsx";
import { Solve } from "./solve.tsx";
import { solved } from "./solved.ts";
import { nextPuzzle } from "./words.ts";

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
  const { found: first, error: unrated } = useAnswer(() => followingPuzzle(game), []); // also tells the person's rating
  useEffect(() => {
    if (!here || id) return;
    if (first) setId(first.id);
    if (unrated) setId(here.puzzles.find((one) => !solved().has(one)) ?? here.puzzles[0] ?? "");
  }, [here, first, unrated]);
  useEffect(() => {
    if (here) document.title = `${here.title}: puzzles – Ludus`;
  }, [here, found]);
  const none = { heading: "There is no such puzzle", href: "/puzzles", instead: "All puzzles" };
  const { error, again } = list.error ? list : single;
  if (error) return <Nothing {...none} error={error} onAgain={again} />;
  if (games && !here) return <Refused {...none} trouble="This site has no puzzles for this game." />;
  if (!here || !found) return <main class="middle" />;
  const other = nextPuzzle(here.puzzles, found.id, solved());
  const onNext = async () => {
    if (!other) return;
    const next = await followingPuzzle(game, found.id).then((following) => following.id, () => other);
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
      you={first?.you ?? null}
      onNext={other ? onNext : null}
      onNotice={onNotice}
    />
  );
}
