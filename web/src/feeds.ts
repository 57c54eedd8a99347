// Live lists over WebSockets: the site's open seats and its running games.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { Board, FromLive, FromLobby, LiveSummary, PoolEntry, Snapshot, ToldTime, ToLive } from "./api.gen.ts";
import type { TimeControl } from "./api.ts";
import { Connection } from "./connection.ts";
import type { News } from "./connection.ts";
import { counted, minutesText } from "./game/words.ts";

export interface Lobby {
  /** The games that are waiting for a second player. */
  seats: Snapshot[];
  /** The people who wait for quick pairing, by board and time. */
  waiting: PoolEntry[];
}

/** The people who look for an opponent. */
export function useLobby(): Lobby {
  const [lobby, setLobby] = useState<Lobby>({ seats: [], waiting: [] });
  useEffect(() => {
    const line = new Connection<FromLobby, never>("/ws/lobby", ({ games, waiting }) => setLobby({ seats: games, waiting }), () => {});
    return () => line.close();
  }, []);
  return lobby;
}

export const MOST_BOARDS = 12; // as the site allows
const WATCH_PAUSE_MS = 100; // scrolling changes many boards at once

export interface LiveGames {
  games: LiveSummary[];
  /** The present boards of the games that have been on screen. */
  boards: ReadonlyMap<string, Board>;
  /** Called when a game comes onto the screen or leaves it; only boards on screen are followed. */
  onSeen: (id: string, seen: boolean) => void;
}

/** The games that are being played. */
export function useLiveGames(): LiveGames {
  const [games, setGames] = useState<LiveSummary[]>([]);
  const [boards, setBoards] = useState<ReadonlyMap<string, Board>>(new Map());
  const seen = useRef(new Set<string>());
  const watch = useRef<() => void>(() => {});
  useEffect(() => {
    let timer = 0;
    const send = () => line.send({ type: "watch", games: [...seen.current].slice(0, MOST_BOARDS) });
    const line = new Connection<FromLive, ToLive>(
      "/ws/live-games",
      (message) => {
        if (message.type === "board") setBoards((old) => new Map(old).set(message.gameId, message.board));
        else setGames((old) => after(old, message));
      },
      (state) => state === "open" && seen.current.size > 0 && send(),
    );
    watch.current = () => {
      clearTimeout(timer);
      timer = window.setTimeout(send, WATCH_PAUSE_MS);
    };
    return () => {
      clearTimeout(timer);
      line.close();
    };
  }, []);
  const onSeen = useCallback((id: string, isSeen: boolean) => {
    if (seen.current.has(id) === isSeen) return;
    if (isSeen) seen.current.add(id);
    else seen.current.delete(id);
    watch.current();
  }, []);
  return { games, boards, onSeen };
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

/** Return a time control as the site tells it. */
export function toldOf(time: TimeControl): ToldTime {
  if (!time) return { initialSeconds: UNLIMITED_S, incrementSeconds: 0 };
  const { initialSeconds = 0, incrementSeconds = 0, overtime, daysPerMove } = time;
  const periods = overtime ? { overtime: [overtime.periodSeconds, overtime.periods ?? 1, overtime.moves ?? 1] as [number, number, number] } : {};
  return { initialSeconds, incrementSeconds, ...periods, ...(daysPerMove ? { daysPerMove } : {}) };
}

/** Return the time control that the site told, as requests have it. */
export function timingOf(told: ToldTime): TimeControl {
  const { initialSeconds, incrementSeconds, overtime, daysPerMove } = told;
  if (daysPerMove) return { daysPerMove };
  if (!overtime) return initialSeconds === UNLIMITED_S ? null : { initialSeconds, incrementSeconds };
  const [periodSeconds, periods, moves] = overtime;
  return { initialSeconds, overtime: { periodSeconds, periods, moves } };
}

export function timeWords({ initialSeconds, incrementSeconds, overtime, daysPerMove }: ToldTime): string {
  if (daysPerMove) return `${counted(daysPerMove, "day")} per move`;
  if (overtime) {
    const [seconds, periods, moves] = overtime;
    return `${minutesText(initialSeconds)} + ${moves > 1 ? `${moves} moves in ${minutesText(seconds)}` : `${periods} × ${seconds} s`}`;
  }
  return initialSeconds === UNLIMITED_S ? "no clock" : `${minutesText(initialSeconds)} + ${incrementSeconds}`;
}
