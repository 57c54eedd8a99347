// The ranking of a game at a speed.
import { useEffect, useState } from "preact/hooks";
import { useAddress } from "../address.ts";
import { useAnswer } from "../answer.ts";
import type { RatingList, RatingPage } from "../api.gen.ts";
import { Button } from "../button.tsx";
import { useCatalogue } from "../catalogue.ts";
import type { Offered } from "../catalogue.ts";
import { Choice } from "../choice.tsx";
import { best, ratingLists } from "../people.ts";
import { countWords, pathOf, pathOfList, ratedGames, ratedWords, SPEEDS, speedWord, valueWords } from "./words.ts";

const PAGE = 50; // rows per page, as on the site

interface Wish {
  game: string;
  timeClass: string;
  page: number;
}

/** Read the game and speed from the address; null if it names no game. */
function wished(): Wish | null {
  const query = new URLSearchParams(location.search);
  const game = query.get("game");
  const timeClass = query.get("timeClass") ?? "";
  return game ? { game, timeClass: timeClass in SPEEDS ? timeClass : "unlimited", page: 1 } : null;
}

export function RatingsPage() {
  const offered = useCatalogue();
  const { found: lists, error: noLists } = useAnswer(ratingLists, []);
  const [chosen, setChosen] = useState(wished);
  useEffect(() => {
    document.title = "Ratings – Ludus";
  }, []);
  const games = ratedGames(offered, [...(lists ?? []).map(({ game }) => game), ...(chosen ? [chosen.game] : [])]);
  const longest = lists?.[0] ?? { game: games[0], timeClass: "unlimited" };
  const wish = chosen ?? (lists && longest.game ? { game: longest.game, timeClass: longest.timeClass, page: 1 } : null);
  useAddress(chosen && pathOfList(chosen.game, chosen.timeClass));
  const { found, error } = useAnswer(() => (wish ? best(wish.game, wish.timeClass, wish.page) : null), [wish?.game, wish?.timeClass, wish?.page]);
  const trouble = (error ?? (found ? null : noLists))?.message;
  const select = (title: string, value: string, options: Record<string, string>, change: (value: string) => Wish) => (
    <Choice title={title} value={value} options={Object.entries(options).map(([key, name]) => ({ value: key, name }))} onChange={(chosen) => setChosen(change(chosen))} />
  );
  return (
    <main class="page narrow">
      <h1>Ratings</h1>
      <section class="panel">
        {wish && (
          <form class="filters" onSubmit={(event: Event) => event.preventDefault()}>
            {select("Game", wish.game, Object.fromEntries(games.map((game) => [game, ratedWords(offered, game)])), (game) => ({ ...wish, game, page: 1 }))}
            {select("Time", wish.timeClass, SPEEDS, (timeClass) => ({ ...wish, timeClass, page: 1 }))}
          </form>
        )}
        {trouble && (
          <p class="line-lost" role="status">
            {trouble}
          </p>
        )}
        {wish && found?.ratings.length === 0 && <Nobody wish={wish} lists={lists ?? []} offered={offered} />}
        {wish && found && found.ratings.length > 0 && <Ranks found={found} />}
        {wish && found && found.pages > 1 && (
          <p class="turner">
            <Button class="button small" disabled={found.page <= 1} onClick={() => setChosen({ ...wish, page: found.page - 1 })}>
              Previous
            </Button>
            Page {found.page} of {found.pages}
            <Button class="button small" disabled={found.page >= found.pages} onClick={() => setChosen({ ...wish, page: found.page + 1 })}>
              Next
            </Button>
          </p>
        )}
        <p class="quiet-note">
          Accounts are ranked once they have played enough rated games for an established rating. The number after ± is the uncertainty of the rating.
        </p>
      </section>
    </main>
  );
}

function Ranks({ found }: { found: RatingPage }) {
  return (
    <table class="ratings">
      <thead>
        <tr>
          <th scope="col">Rank</th>
          <th scope="col">Name</th>
          <th scope="col">Rating</th>
          <th scope="col">Games</th>
        </tr>
      </thead>
      <tbody>
        {found.ratings.map((rating, index) => (
          <tr key={rating.name}>
            <td>{PAGE * (found.page - 1) + index + 1}</td>
            <th scope="row">
              <a href={pathOf(rating.name)}>{rating.name}</a>
            </th>
            <td>{valueWords(rating)}</td>
            <td>{countWords(rating)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Shown for an empty ranking: how to enter it, and links to other rankings. */
function Nobody({ wish, lists, offered }: { wish: Wish; lists: RatingList[]; offered: Offered }) {
  return (
    <>
      <p>
        Nobody has an established rating in {ratedWords(offered, wish.game)}, {speedWord(wish.timeClass).toLowerCase()}, yet. Be the first: log in and
        switch on “Rated” when you start a game against a friend or anyone.
      </p>
      {lists.length > 0 && (
        <ul class="elsewhere" aria-label="Other rankings">
          {lists.map(({ game, timeClass, people }) => (
            <li key={`${game}-${timeClass}`}>
              <a href={pathOfList(game, timeClass)}>
                {ratedWords(offered, game)}, {speedWord(timeClass).toLowerCase()}
              </a>{" "}
              ({people === 1 ? "1 person" : `${people} people`})
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
