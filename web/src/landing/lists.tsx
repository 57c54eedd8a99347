// The lists of live games to watch and open seats to take.
import { Chip } from "../board/chip.tsx";
import { boardWords, choosesColours, lookOf } from "../catalogue.ts";
import type { Offered } from "../catalogue.ts";
import { tokenOf } from "../api.ts";
import { Clipped } from "../clipped.tsx";
import { movesWords } from "../game/words.ts";
import { Icon } from "../icons.tsx";
import { timeWords, useLiveGames, useOpenSeats } from "../feeds.ts";

interface ListProps {
  /** The catalogue, for titles and colours. */
  offered: Offered;
}

/** Sort games so that the person's own come first. */
function ownFirst<Game extends { id: string }>(games: Game[]): (Game & { isMine: boolean })[] {
  const marked = games.map((game) => ({ ...game, isMine: tokenOf(game.id) !== null }));
  return marked.sort((a, b) => Number(b.isMine) - Number(a.isMine));
}

export function LiveList({ offered }: ListProps) {
  const games = ownFirst(useLiveGames());
  if (!games.length) return null;
  return (
    <section class="panel live-games" aria-label="Live games">
      <h2>Live games</h2>
      <ul class="game-list">
        {games.slice(0, 8).map((game) => (
          <li key={game.id} {...lookOf(offered.entries, game.game)}>
            <a class="game-row" href={`/game/${encodeURIComponent(game.id)}`}>
              <span class="pair">
                {game.players.map((player, index) => (
                  <Clipped key={index}>
                    <Chip owner={choosesColours(offered.choices, game) ? null : index} /> {player.displayName}
                  </Clipped>
                ))}
              </span>
              <span class="about">
                {boardWords(offered, game)}
                <small>{movesWords(game.moveCount)}</small>
              </span>
              {game.isMine ? (
                <span class="button small">Continue</span>
              ) : (
                <span class="quiet-note watching">
                  <Icon name="eye" /> {game.spectatorCount}
                </span>
              )}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

export function SeatList({ offered }: ListProps) {
  const seats = ownFirst(useOpenSeats());
  return (
    <section class="panel" aria-label="Open seats">
      <h2>Open seats</h2>
      {seats.length === 0 && <p class="quiet-note">No open seats. To offer one, choose “Anyone” as your opponent.</p>}
      <ul class="game-list">
        {seats.slice(0, 8).map((seat) => (
          <li key={seat.id}>
            <a class="game-row" href={`/game/${encodeURIComponent(seat.id)}`}>
              <span class="pair">
                <Clipped>{seat.players[0]?.displayName ?? "Somebody"}</Clipped>
              </span>
              <span class="about">
                {boardWords(offered, seat.config)}
                <small>
                  {timeWords(seat.config.timeControl)}
                  {seat.config.rated ? ", rated" : ""}
                </small>
              </span>
              <span class="button small">{seat.isMine ? "Return" : "Play"}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
