// The page of somebody who has an account: ratings, and the latest finished games.
import { useEffect, useState } from "preact/hooks";
import { SiteError } from "../api.ts";
import { useCatalogue } from "../catalogue.ts";
import { GameRow } from "../games/game-row.tsx";
import { archive, personNamed } from "../people.ts";
import type { Archive, Person } from "../people.ts";
import { Refused } from "../refused.tsx";
import { RatingsTable } from "./ratings-table.tsx";

const SHOWN = 10;

export function PersonPage({ name }: { name: string }) {
  const offered = useCatalogue();
  const [person, setPerson] = useState<Person | null>(null);
  const [played, setPlayed] = useState<Archive | null>(null);
  const [fault, setFault] = useState<Error | null>(null);
  useEffect(() => {
    document.title = `${name} – Ludus`;
    let gone = false;
    personNamed(name)
      .then(async (found) => {
        if (gone) return;
        setPerson(found);
        const games = await archive({ player: found.name });
        if (!gone) setPlayed(games);
      })
      .catch((error: Error) => gone || setFault(error));
    return () => {
      gone = true;
    };
  }, [name]);
  if (!person && fault) {
    const nobody = fault instanceof SiteError && fault.status === 404;
    const sentence = nobody ? `Nobody here has an account called ${name}. It may be misspelt, or the account was deleted.` : fault.message;
    return <Refused heading={nobody ? "Nobody of that name" : "This page cannot be shown"} trouble={sentence} href="/ratings" instead="See who is rated" />;
  }
  if (!person) return <main class="page narrow" />;
  return (
    <main class="page narrow">
      <h1 class="person">{person.name}</h1>
      <section class="panel">
        <h2>Ratings</h2>
        {person.ratings.length > 0 ? (
          <RatingsTable ratings={person.ratings} offered={offered} />
        ) : (
          <p>{person.name} has played no rated game yet.</p>
        )}
        <p class="quiet-note">Here since {new Date(person.since * 1000).toLocaleDateString()}.</p>
      </section>
      <section class="panel">
        <h2>Latest games</h2>
        {fault && <p class="line-lost">{fault.message}</p>}
        {played?.total === 0 && <p>{person.name} has finished no game yet.</p>}
        {played && played.total > 0 && (
          <>
            <ul class="game-list">
              {played.games.slice(0, SHOWN).map((game) => (
                <GameRow key={game.id} game={game} offered={offered} />
              ))}
            </ul>
            {played.total > SHOWN && <a href={`/games?${new URLSearchParams({ player: person.name })}`}>All {played.total} games</a>}
          </>
        )}
      </section>
    </main>
  );
}
