// The person's unfinished games, by account or by stored tokens, refreshed periodically and shared by all parts of the page.
import { useEffect, useState } from "preact/hooks";
import type { Me, OwnGame } from "./api.gen.ts";
import { recentTokens } from "./api.ts";
import { onPerson } from "./identity.ts";
import { ownGames } from "./people.ts";
import { poll } from "./polled.ts";

const REFRESH_MS = 30_000;

let latest: OwnGame[] = [];
let person: Me | null = null;
let stop: (() => void) | null = null;
const listeners = new Set<(games: OwnGame[]) => void>();

/** Ask for the games now, and then at intervals; the site is asked once for all parts of the page. */
export function lookAgain(): void {
  stop?.();
  stop = null;
  if (!person || !listeners.size) return;
  const { account } = person;
  const ask = async () => {
    const tokens = recentTokens();
    return account || Object.keys(tokens).length ? ownGames(tokens) : [];
  };
  const take = (found: OwnGame[]) => {
    latest = inOrder(found);
    for (const listener of listeners) listener(latest);
  };
  stop = poll(ask, REFRESH_MS, take, () => {}); // after an error, the old list stays
}

export function useOwnGames(): OwnGame[] {
  const [games, setGames] = useState(latest);
  useEffect(() => {
    listeners.add(setGames);
    if (listeners.size === 1 && !person) {
      onPerson((now) => {
        person = now;
        lookAgain();
      });
    } else lookAgain();
    return () => {
      listeners.delete(setGames);
      if (!listeners.size) lookAgain();
    };
  }, []);
  return games;
}

export const isYours = (game: OwnGame) => game.status === "playing" && game.toPlay === game.you;

/** Sort games: this person's turn first, the earliest deadline before others, open seats last. */
export function inOrder(games: OwnGame[]): OwnGame[] {
  const place = (game: OwnGame) => (isYours(game) ? 0 : game.status === "playing" ? 1 : 2);
  const until = (game: OwnGame) => (isYours(game) ? (game.deadline ?? Infinity) : Infinity);
  const sooner = (a: OwnGame, b: OwnGame) => (until(a) === until(b) ? 0 : until(a) - until(b));
  return [...games].sort((a, b) => place(a) - place(b) || sooner(a, b));
}

/** Say whose turn it is in a game, or that a seat is open. */
export function turnWords(game: OwnGame): string {
  if (game.status === "waiting") return "Open seat";
  if (isYours(game)) return "Your turn";
  return game.toPlay === null ? "Continue" : "Their turn";
}

/** Say how long the side to move has in a game over days: `2 days`, `5 h`, `40 min`; empty in other games. */
export function deadlineWords({ deadline }: OwnGame, now = Date.now()): string {
  if (deadline === null || deadline === undefined) return "";
  const minutes = Math.max(0, Math.floor((1000 * deadline - now) / 60_000));
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`;
}
