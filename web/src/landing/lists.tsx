// The lists of live games to watch, and of people to play: open seats and quick pairing.
import { useEffect, useRef } from "preact/hooks";
import { gamePath } from "../address.ts";
import type { Board, LiveSummary, Snapshot } from "../api.gen.ts";
import { Chip } from "../board/chip.tsx";
import { colourOf, sidesOf } from "../board/colours.ts";
import { BoardPicture } from "../board/drawing.tsx";
import { Button } from "../button.tsx";
import { boardWords, choosesColours, lookOf } from "../catalogue.ts";
import type { Offered } from "../catalogue.ts";
import { tokenOf } from "../api.ts";
import { Clipped } from "../clipped.tsx";
import { counted } from "../game/words.ts";
import { Icon } from "../icons.tsx";
import { timeWords, useLiveGames } from "../feeds.ts";
import type { Lobby } from "../feeds.ts";
import { usePerson } from "../identity.ts";
import { poolTimes, wishFor } from "../lobby/boards.ts";
import { seek, useInbox } from "../lobby/inbox.ts";
import { useOnScreen } from "../on-screen.ts";
import { othersIn } from "./offers.ts";

const MOST_LIVE = 8;
const MOST_SEATS = 20;

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
  const { games, boards, onSeen } = useLiveGames();
  if (!games.length) return null;
  return (
    <section class="panel live-games" aria-label="Live games">
      <h2>Live games</h2>
      <ul class="live-tiles">
        {ownFirst(games).slice(0, MOST_LIVE).map((game) => (
          <LiveTile key={game.id} game={game} board={boards.get(game.id)} offered={offered} onSeen={onSeen} />
        ))}
      </ul>
    </section>
  );
}

interface TileProps extends ListProps {
  game: LiveSummary & { isMine: boolean };
  /** The present board; undefined until the tile has been on screen. */
  board: Board | undefined;
  onSeen: (id: string, seen: boolean) => void;
}

/** A live game with a small picture of its board, which follows the game while it is on screen. */
function LiveTile({ game, board, offered, onSeen }: TileProps) {
  const tile = useRef<HTMLLIElement>(null);
  const seen = useOnScreen(tile);
  useEffect(() => {
    onSeen(game.id, seen);
    return () => onSeen(game.id, false);
  }, [game.id, seen]);
  const look = board ? { class: board.style, style: sidesOf(board) } : lookOf(offered.entries, game.game);
  const owner = (side: number) => (board ? colourOf(board, side) : choosesColours(offered.choices, game) ? null : side);
  return (
    <li ref={tile} {...look}>
      <a class="live-tile" href={gamePath(game.id)}>
        <span class="picture" aria-hidden="true">
          {board && <BoardPicture board={board} label="" />}
        </span>
        <span class="pair">
          {game.players.map((player, index) => (
            <Clipped key={index}>
              <Chip owner={owner(index)} /> {player.displayName}
            </Clipped>
          ))}
        </span>
        <small>
          {boardWords(offered, game)}, {counted(game.moveCount, "move")}
        </small>
        {game.isMine ? (
          <span class="button small">Continue</span>
        ) : (
          game.spectatorCount > 0 && (
            <span class="quiet-note watching">
              <Icon name="eye" /> {game.spectatorCount} <span class="visually-hidden">watching</span>
            </span>
          )
        )}
      </a>
    </li>
  );
}

interface SeatProps extends ListProps {
  lobby: Lobby;
  busy: boolean;
  onTake: (seat: Snapshot) => void;
}

export function SeatList({ offered, lobby, busy, onTake }: SeatProps) {
  const { wait } = useInbox();
  const seats = ownFirst(lobby.seats);
  const waiting = othersIn(lobby.waiting, wait?.wish ?? null);
  return (
    <section class="seats" aria-label="Open seats">
      <h3>Open seats</h3>
      {seats.length + waiting.length === 0 && <p class="quiet-note">Nobody is waiting at the moment.</p>}
      <ul class="game-list">
        {waiting.map((entry) => (
          <li key={`${entry.game} ${entry.variant} ${entry.boardWidth} ${String(entry.rated)} ${poolTimes(entry.timeControls)}`}>
            <div class="game-row">
              <span class="pair">
                <Clipped>{entry.people === 1 ? "1 person is waiting" : `${entry.people} people are waiting`}</Clipped>
              </span>
              <span class="about">
                {boardWords(offered, entry)}
                <small>
                  {poolTimes(entry.timeControls)}
                  {entry.rated ? ", rated" : ""}
                </small>
              </span>
              <Enter rated={entry.rated} busy={busy} name={`Play ${boardWords(offered, entry)}, quick pairing`} onEnter={() => seek(wishFor(entry))} />
            </div>
          </li>
        ))}
        {seats.slice(0, MOST_SEATS).map((seat) => (
          <li key={seat.id}>
            <div class="game-row">
              <a class="pair" href={gamePath(seat.id)}>
                <Clipped>
                  {hostOf(seat)}
                </Clipped>
              </a>
              <span class="about">
                {boardWords(offered, seat.config)}
                <small>
                  {timeWords(seat.config.timeControl)}
                  {seat.config.rated ? ", rated" : ""}
                  {seat.config.withEvaluation ? ", with evaluation" : ""}
                </small>
              </span>
              {seat.isMine ? (
                <a class="button small" href={gamePath(seat.id)}>
                  Return
                </a>
              ) : (
                <Enter rated={seat.config.rated} busy={busy} name={`Play ${hostOf(seat)}`} onEnter={() => onTake(seat)} />
              )}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Return the name of the person in an open seat, with the rating. */
export function hostOf({ players: [host] }: Snapshot): string {
  if (!host) return "Somebody";
  return host.rating === undefined ? host.displayName : `${host.displayName} (${host.rating})`;
}

/** The button that takes a seat at once; guests must log in before a rated game. */
function Enter({ rated, busy, name, onEnter }: { rated: boolean; busy: boolean; name: string; onEnter: () => void }) {
  const person = usePerson();
  return rated && person && !person.account ? (
    <a class="button small" href="/settings" title="Rated games need an account">
      Log in
    </a>
  ) : (
    <Button class="button small primary" disabled={busy} aria-label={name} onClick={onEnter}>
      Play
    </Button>
  );
}
