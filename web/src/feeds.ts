// What goes on at the site at this moment: open seats and running games, as lists that keep themselves fresh.
import { useEffect, useState } from "preact/hooks";
import { Connection } from "./connection.ts";
import { minutesText } from "./game/words.ts";

export interface FeedConfig {
  game?: string;
  variant: string;
  boardWidth: number;
  boardHeight: number;
  rated?: boolean;
  timeControl: { initialSeconds: number; incrementSeconds: number } | null;
}

/** A game that waits for a second player. */
export interface OpenSeat {
  id: string;
  config: FeedConfig;
  createdAt: number;
  players: { displayName: string }[];
}

/** A game that is being played. */
export interface LiveGame {
  id: string;
  game?: string;
  variant: string;
  boardWidth: number;
  boardHeight: number;
  players: { displayName: string }[];
  moveCount: number;
  spectatorCount: number;
}

type FromLobby = { type: "games"; games: OpenSeat[] };
type FromLive =
  | { type: "snapshot"; games: LiveGame[] }
  | { type: "upsert"; game: LiveGame }
  | { type: "remove"; gameId: string };

export function useOpenSeats(): OpenSeat[] {
  const [seats, setSeats] = useState<OpenSeat[]>([]);
  useEffect(() => {
    const onMessage = (message: FromLobby) => setSeats(message.games);
    const line = new Connection<FromLobby, never>("/ws/lobby", onMessage, () => {});
    return () => line.close();
  }, []);
  return seats;
}

export function useLiveGames(): LiveGame[] {
  const [games, setGames] = useState<LiveGame[]>([]);
  useEffect(() => {
    const onMessage = (message: FromLive) => setGames((old) => after(old, message));
    const line = new Connection<FromLive, never>("/ws/live-games", onMessage, () => {});
    return () => line.close();
  }, []);
  return games;
}

/** The list after a message. */
export function after(games: LiveGame[], message: FromLive): LiveGame[] {
  if (message.type === "snapshot") return message.games;
  if (message.type === "remove") return games.filter((game) => game.id !== message.gameId);
  if (message.type !== "upsert") return games;
  const { game } = message;
  return games.some((old) => old.id === game.id) ? games.map((old) => (old.id === game.id ? game : old)) : [game, ...games];
}

export function timeWords(control: FeedConfig["timeControl"]): string {
  if (!control) return "no clock";
  return `${minutesText(control.initialSeconds)} + ${control.incrementSeconds}`;
}
