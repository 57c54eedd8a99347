// A running game as a hook: the latest state, the line's health, the way back through its past.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { GameState, PlyView } from "../api.gen.ts";
import { keepSeat, pastPosition, tokenOf } from "../api.ts";
import type { FromSite, ToSite } from "../api.ts";
import { Connection } from "../connection.ts";
import type { Line } from "../connection.ts";
import { beforeLatestMove, stops } from "./words.ts";

interface Handlers {
  /** Something that a person should read once. */
  onNotice: (sentence: string) => void;
  /** The site opened a new game for this person. */
  onRematch: (id: string) => void;
}

export interface Running {
  state: GameState | null;
  line: Line;
  /** Why the site refused this game, for good. */
  refusal: string;
  /** The action that was sent and is not answered yet. */
  pending: number | null;
  send: (message: ToSite) => void;
}

/** Follow the game `id`, as a player if this tab holds its token, else as a spectator. */
export function useGame(id: string, { onNotice, onRematch }: Handlers): Running {
  const [state, setState] = useState<GameState | null>(null);
  const [line, setLine] = useState<Line>("connecting");
  const [refusal, setRefusal] = useState("");
  const [pending, setPending] = useState<number | null>(null);
  const connection = useRef<Connection | null>(null);

  useEffect(() => {
    let seen = false;
    let fault = "";
    setState(null);
    setRefusal("");
    const onMessage = (message: FromSite) => {
      setPending(null);
      if (message.type === "state") {
        seen = true;
        setState(message);
      } else if (message.type === "error") {
        fault = message.message;
        if (seen) onNotice(fault); // before the first state, it is why the site refuses
      } else {
        keepSeat(message);
        onRematch(message.id);
      }
    };
    const onLine = (now: Line, reason: string) => {
      setLine(now);
      if (now === "refused") setRefusal(fault || reason || "The site closed this game.");
      if (now === "lost") setPending(null);
    };
    const token = tokenOf(id);
    const query = token ? `?token=${encodeURIComponent(token)}` : "";
    connection.current = new Connection(`/ws/play/${encodeURIComponent(id)}${query}`, onMessage, onLine);
    return () => connection.current?.close();
  }, [id]);

  const send = useCallback((message: ToSite) => {
    if (!connection.current?.send(message)) onNotice("The connection is lost; your move was not sent. Please wait a moment.");
    else if (message.type === "act") setPending(message.action);
  }, []);
  return { state, line, refusal, pending, send };
}

export interface Past {
  /** The ply on the board. */
  ply: number;
  /** What stands there; null while it is fetched. */
  position: PlyView | null;
  /** Whether the board shows the past rather than the running game. */
  back: boolean;
  /** Keys of the walls that the latest move of the shown position set. */
  before: PlyView | null;
  go: (ply: number) => void;
  step: (by: "start" | "back" | "forward" | "end") => void;
}

/** The position that a person looks at: the game's latest one, or one of its past. */
export function usePast(id: string, state: GameState | null, onNotice: (sentence: string) => void): Past {
  const [wanted, setWanted] = useState<number | null>(null);
  const [known, setKnown] = useState<Map<string, PlyView>>(new Map());
  const asked = useRef(new Set<string>());
  const ply = wanted ?? state?.ply ?? 0;

  // after an undo, the same ply can hold another position: the moves up to it are part of the key
  const key = (at: number) =>
    `${id} ${at} ${state?.moves.filter((move) => move.ply <= at).map((move) => move.text).join(" ") ?? ""}`;
  const fetchPly = (at: number) => {
    const name = key(at);
    if (asked.current.has(name)) return;
    asked.current.add(name);
    pastPosition(id, at)
      .then((position) => setKnown((old) => new Map(old).set(name, position)))
      .catch((error: unknown) => {
        asked.current.delete(name);
        if (wanted !== null) onNotice(error instanceof Error ? error.message : String(error));
      });
  };

  const before = state ? beforeLatestMove(state, ply) : 0;
  const hasWalls = !!state && state.board.edges.length > 0;
  useEffect(() => setWanted(null), [id]);
  useEffect(() => {
    if (!state) return;
    if (wanted !== null && wanted >= state.ply) setWanted(null);
    else if (wanted !== null) fetchPly(wanted);
    if (hasWalls && ply > 0) fetchPly(before);
  }, [state, wanted]);

  const go = (to: number) => {
    if (!state) return;
    const at = Math.max(0, Math.min(state.ply, to));
    setWanted(at === state.ply ? null : at);
  };
  const step = (by: "start" | "back" | "forward" | "end") => {
    if (!state) return;
    const plies = stops(state);
    if (by === "start") go(0);
    else if (by === "end") go(state.ply);
    else if (by === "back") go(plies.filter((stop) => stop < ply).pop() ?? 0);
    else go(plies.find((stop) => stop > ply) ?? state.ply);
  };
  const live = state ? { board: state.board, evaluation: state.evaluation } : null;
  return {
    ply,
    back: wanted !== null,
    position: wanted === null ? live : (known.get(key(wanted)) ?? null),
    before: known.get(key(before)) ?? null,
    go,
    step,
  };
}
