// A running game as a hook: the latest state, the line's health, and acts that survive a lost line.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { Act, GameState } from "../api.gen.ts";
import { keepSeat, tokenOf } from "../api.ts";
import type { FromSite, ToSite } from "../api.ts";
import { Connection } from "../connection.ts";
import type { Line } from "../connection.ts";

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

/** Whether an act that was on its way when the line broke has to be sent again: the ply tells if it arrived. */
export function isMissing(sent: Act, state: GameState): boolean {
  return state.status === "playing" && state.ply === sent.ply && state.board.choices.some((choice) => choice.action === sent.action);
}

/** Follow the game `id`, as a player if this browser holds its token, else as a spectator. */
export function useGame(id: string, { onNotice, onRematch }: Handlers): Running {
  const [state, setState] = useState<GameState | null>(null);
  const [line, setLine] = useState<Line>("connecting");
  const [refusal, setRefusal] = useState("");
  const [pending, setPending] = useState<number | null>(null);
  const connection = useRef<Connection | null>(null);
  const sent = useRef<Act | null>(null);

  useEffect(() => {
    let seen = false;
    let redialled = false;
    let fault = "";
    setState(null);
    setRefusal("");
    const settle = () => {
      sent.current = null;
      setPending(null);
    };
    const onMessage = (message: FromSite) => {
      if (message.type === "state") {
        seen = true;
        setState(message);
        const act = sent.current;
        if (act && redialled && isMissing(act, message)) connection.current?.send(act);
        else if (act && (redialled || message.ply !== act.ply)) settle();
        redialled = false;
      } else if (message.type === "error") {
        settle();
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
      if (now === "lost") redialled = true;
    };
    const token = tokenOf(id);
    const query = token ? `?token=${encodeURIComponent(token)}` : "";
    connection.current = new Connection(`/ws/play/${encodeURIComponent(id)}${query}`, onMessage, onLine);
    return () => connection.current?.close();
  }, [id]);

  const send = useCallback((message: ToSite) => {
    if (message.type === "act") {
      sent.current = message;
      setPending(message.action);
    }
    if (connection.current?.send(message)) return;
    onNotice(message.type === "act" ? "The connection is lost; your move goes out when it is back." : "The connection is lost. Please wait a moment.");
  }, []);
  return { state, line, refusal, pending, send };
}
