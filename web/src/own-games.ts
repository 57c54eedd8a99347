// The person's unfinished games, by account or by stored tokens, refreshed periodically.
import { useEffect, useState } from "preact/hooks";
import type { OwnGame } from "./api.gen.ts";
import { recentTokens } from "./api.ts";
import { usePerson } from "./identity.ts";
import { ownGames } from "./people.ts";
import { poll } from "./polled.ts";

const REFRESH_MS = 30_000;

export function useOwnGames(): OwnGame[] {
  const person = usePerson();
  const [games, setGames] = useState<OwnGame[]>([]);
  useEffect(() => {
    if (!person) return;
    const ask = async () => {
      const tokens = recentTokens();
      return person.account || Object.keys(tokens).length ? ownGames(tokens) : [];
    };
    return poll(ask, REFRESH_MS, (found) => setGames(inOrder(found)), () => {}); // after an error, the old list stays
  }, [person]);
  return games;
}

const isYours = (game: OwnGame) => game.status === "playing" && game.toPlay === game.you;

/** Sort games: this person's turn first, open seats last. */
export function inOrder(games: OwnGame[]): OwnGame[] {
  const place = (game: OwnGame) => (isYours(game) ? 0 : game.status === "playing" ? 1 : 2);
  return [...games].sort((a, b) => place(a) - place(b));
}

/** Say whose turn it is in a game, or that a seat is open. */
export function turnWords(game: OwnGame): string {
  if (game.status === "waiting") return "Open seat";
  if (isYours(game)) return "Your turn";
  return game.toPlay === null ? "Continue" : "Their turn";
}
