// Live lists over WebSockets: the site's open seats and its running games.
import { useEffect, useState } from "preact/hooks";
import type { FromLive, FromLobby, LiveSummary, Snapshot, ToldTime } from "./api.gen.ts";
import { Connection } from "./connection.ts";
import type { News } from "./connection.ts";
import { minutesText } from "./game/words.ts";

/** The games that are waiting for a second player. */
export function useOpenSeats(): Snapshot[] {
  const [seats, setSeats] = useState<Snapshot[]>([]);
  useEffect(() => {
    const line = new Connection<FromLobby, never>("/ws/lobby", ({ games }) => setSeats(games), () => {});
    return () => line.close();
  }, []);
  return seats;
}

/** The games that are being played. */
export function useLiveGames(): LiveSummary[] {
  const [games, setGames] = useState<LiveSummary[]>([]);
  useEffect(() => {
    const line = new Connection<FromLive, never>("/ws/live-games", (message) => setGames((old) => after(old, message)), () => {});
    return () => line.close();
  }, []);
  return games;
}

/** Return the list with a message applied. */
export function after(games: LiveSummary[], message: News<FromLive>): LiveSummary[] {
  if (message.type === "snapshot") return message.games;
  if (message.type === "remove") return games.filter((game) => game.id !== message.gameId);
  if (message.type !== "upsert") return games; // a newer site may send other messages
  const { game } = message;
  return games.some((old) => old.id === game.id) ? games.map((old) => (old.id === game.id ? game : old)) : [game, ...games];
}

const UNLIMITED_S = 86_400; // the site's value for games without clocks, as in wallgame.io's protocol

export function timeWords({ initialSeconds, incrementSeconds }: ToldTime): string {
  return initialSeconds === UNLIMITED_S ? "no clock" : `${minutesText(initialSeconds)} + ${incrementSeconds}`;
}
