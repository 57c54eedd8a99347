// The public page of an account: its ratings and latest games.
import { useEffect } from "preact/hooks";
import { AboutPerson } from "../about-person.tsx";
import { useAnswer } from "../answer.ts";
import { SiteError } from "../api.ts";
import { useCatalogue } from "../catalogue.ts";
import { GameRow } from "../games/game-row.tsx";
import { usePerson } from "../identity.ts";
import { ChallengeButton } from "../lobby/challenge-button.tsx";
import type { OnNotice } from "../notice.ts";
import { archive, personNamed } from "../people.ts";
import { Refused } from "../refused.tsx";
import { RatingGraphs } from "./rating-graph.tsx";
import { RatingsTable } from "./ratings-table.tsx";

const SHOWN = 10;

interface PersonProps {
  name: string;
  onNotice: OnNotice;
}

export function PersonPage({ name, onNotice }: PersonProps) {
  const me = usePerson();
  const offered = useCatalogue();
  const { found: person, error } = useAnswer(() => personNamed(name), [name]);
  const { found: played, error: lost } = useAnswer(() => (person ? archive({ player: person.name }) : null), [person]);
  useEffect(() => {
    document.title = `${name} – Ludus`;
  }, [name]);
  if (!person && error) {
    const nobody = error instanceof SiteError && error.status === 404;
    const sentence = nobody ? `There is no account called ${name}. The name may be misspelt, or the account was deleted.` : error.message;
    return <Refused heading={nobody ? "There is no such account" : "This page cannot be shown"} trouble={sentence} href="/ratings" instead="See the ratings" />;
  }
  if (!person) return <main class="page narrow" />;
  return (
    <main class="page narrow">
      <h1 class="person">{person.name}</h1>
      <ChallengeButton person={person} onNotice={onNotice} />
      <section class="panel">
        <h2>Ratings</h2>
        {person.ratings.length > 0 ? (
          <>
            <RatingsTable ratings={person.ratings} offered={offered} />
            <RatingGraphs key={person.name} name={person.name} ratings={person.ratings} offered={offered} />
          </>
        ) : (
          <p>{person.name} has not played a rated game yet.</p>
        )}
        <p class="quiet-note">Member since {new Date(person.since * 1000).toLocaleDateString()}.</p>
        {me && me.key !== person.key && <AboutPerson name={person.name} personKey={person.key} about={{ name: person.name }} onNotice={onNotice} />}
      </section>
      <section class="panel">
        <h2>Latest games</h2>
        {lost && <p class="line-lost">{lost.message}</p>}
        {played?.total === 0 && <p>{person.name} has not finished a game yet.</p>}
        {played && played.total > 0 && (
          <>
            <ul class="game-list">
              {played.games.slice(0, SHOWN).map((game) => (
                <GameRow key={game.id} game={game} offered={offered} />
              ))}
            </ul>
            {played.total > SHOWN && <a href={`/games?${new URLSearchParams({ player: person.name })}`}>Show {played.more ? "the latest" : "all"} {played.total} games</a>}
          </>
        )}
      </section>
    </main>
  );
}
