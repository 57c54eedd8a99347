// The list of the person's unfinished games, with opponent and whose turn it is.
import { useState } from "preact/hooks";
import { gamePath } from "../address.ts";
import { Button } from "../button.tsx";
import { boardWords, lookOf } from "../catalogue.ts";
import type { Offered } from "../catalogue.ts";
import { Clipped } from "../clipped.tsx";
import { counted } from "../game/words.ts";
import { deadlineWords, turnWords, useOwnGames } from "../own-games.ts";

const SHOWN = 4; // more would push the rest of the page down

export function OwnGameList({ offered }: { offered: Offered }) {
  const games = useOwnGames();
  const [all, setAll] = useState(false);
  if (!games.length) return null;
  return (
    <section class="panel own-games" aria-label="Your games">
      <h2>Your games</h2>
      <ul class="game-list">
        {(all ? games : games.slice(0, SHOWN)).map((game) => (
          <li key={game.id} {...lookOf(offered.entries, game.game)}>
            <a class="game-row" href={gamePath(game.id)}>
              <span class="pair">
                <Clipped>{game.opponent === null ? "No opponent yet" : `Against ${game.opponent}`}</Clipped>
              </span>
              <span class="about">
                {boardWords(offered, game)}
                <small>
                  {counted(game.numMoves, "move")}
                  {game.rated ? ", rated" : ""}
                  {deadlineWords(game) && `, ${deadlineWords(game)} left`}
                </small>
              </span>
              <span class={turnWords(game) === "Your turn" ? "turn yours" : "turn"}>{turnWords(game)}</span>
            </a>
          </li>
        ))}
      </ul>
      {games.length > SHOWN && (
        <Button class="button quiet" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? "Show fewer" : `Show all ${games.length}`}
        </Button>
      )}
    </section>
  );
}
