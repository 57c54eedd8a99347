// The hook for a running game: its latest state, connection status and chat; resends an action after a lost connection.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { Act, ChatMessage, FromSite, GameState, ToSite } from "../api.gen.ts";
import { keepSeat, tokenOf } from "../api.ts";
import { Connection } from "../connection.ts";
import type { Line, News } from "../connection.ts";
import type { OnNotice } from "../notice.ts";
import { declinedWords } from "./words.ts";

interface Handlers {
  /** Show a notice to the person. */
  onNotice: OnNotice;
  /** Called with the id of a rematch when it opens. */
  onRematch: (id: string) => void;
}

export interface Running {
  state: GameState | null;
  /** When the state arrived, in milliseconds of `performance.now`; clocks count from then. */
  since: number;
  line: Line;
  /** Why the site permanently refused the connection; empty if it did not. */
  refusal: string;
  /** The site's reason for the last disconnection, until the next state arrives. */
  trouble: string;
  /** The actions that were sent to the site and are not confirmed yet. */
  pending: readonly Act[];
  /** The site's reason for refusing the last move of a bot that thinks in this browser; empty if it did not. */
  refusedMove: string;
  chat: ChatMessage[];
  send: (message: ToSite) => void;
  /** Reconnect with a newly taken seat. */
  sitDown: () => void;
}

const CHAT_KEPT = 200;

/** Return the sent actions that a state does not contain yet; of a lost connection, only those that can be sent again. */
export function unconfirmed(sent: readonly Act[], state: GameState, reconnected: boolean): readonly Act[] {
  const rest = sent.filter((act) => act.ply >= state.ply);
  const [first] = rest;
  if (first?.ply !== state.ply || state.status !== "playing") return []; // all arrived, or moves were taken back
  return !reconnected || state.board.choices.some((choice) => choice.action === first.action) ? rest : [];
}

/** Follow the game `id`, as a player if this browser holds its token, else as a spectator. */
export function useGame(id: string, { onNotice, onRematch }: Handlers): Running {
  const [latest, setLatest] = useState<{ state: GameState; since: number } | null>(null);
  const [line, setLine] = useState<Line>("connecting");
  const [refusal, setRefusal] = useState("");
  const [trouble, setTrouble] = useState("");
  const [pending, setPending] = useState<readonly Act[]>([]);
  const [refusedMove, setRefusedMove] = useState("");
  const [chat, setChat] = useState<ChatMessage[]>([]);
  const [seat, setSeat] = useState(0);
  const connection = useRef<Connection<FromSite, ToSite> | null>(null);
  const sent = useRef<readonly Act[]>([]);

  useEffect(() => {
    let state: GameState | null = null;
    let reconnected = false;
    let fault = "";
    setRefusal("");
    const settle = (rest: readonly Act[] = []) => {
      if (rest.length === sent.current.length) return;
      sent.current = rest;
      setPending(rest);
    };
    const onState = (message: GameState) => {
      state = message;
      setTrouble("");
      setRefusedMove("");
      setLatest({ state, since: performance.now() });
      const token = tokenOf(id);
      if (message.rematch && message.you !== null && token) keepSeat({ id: message.rematch, token }); // also if the rematch message was missed
      const rest = unconfirmed(sent.current, message, reconnected);
      settle(rest);
      if (reconnected) for (const act of rest) connection.current?.send(act);
      reconnected = false;
    };
    const onMessage = (message: News<FromSite>) => {
      if (message.type === "state") onState(message);
      else if (message.type === "notice") onNotice(message.message);
      else if (message.type === "chat") setChat((old) => [...old, message].slice(-CHAT_KEPT));
      else if (message.type === "declined") onNotice(declinedWords(state, message));
      else if (message.type === "error" && message.refused === "bot-move") {
        setRefusedMove(message.message); // not told if another tab was faster, since the state has changed then
      } else if (message.type === "error") {
        settle();
        fault = message.message;
        if (state) onNotice(new Error(fault)); // before the first state, the error is the reason of the refusal
      } else if (message.type === "rematch" && state?.you !== null) {
        onRematch(message.id);
      }
    };
    const onLine = (now: Line, reason: string) => {
      setLine(now);
      if (now === "refused") setRefusal(fault || reason || "The site closed this game.");
      if (now !== "lost") return;
      reconnected = true;
      setTrouble(fault || reason);
      fault = "";
    };
    const token = tokenOf(id);
    const query = token ? `?token=${encodeURIComponent(token)}` : "";
    connection.current = new Connection<FromSite, ToSite>(`/ws/play/${encodeURIComponent(id)}${query}`, onMessage, onLine);
    return () => connection.current?.close();
  }, [id, seat]);

  const send = useCallback((message: ToSite) => {
    if (message.type === "act") {
      sent.current = [...sent.current, message];
      setPending(sent.current);
    }
    if (connection.current?.send(message) || message.type === "bot-move") return; // a bot's move is sent again after reconnecting
    onNotice(message.type === "act" ? "Connection lost. Your move will be sent after reconnecting." : "Connection lost. Try again after reconnecting.");
  }, []);
  const sitDown = () => setSeat((old) => old + 1);
  return { state: latest?.state ?? null, since: latest?.since ?? 0, line, refusal, trouble, pending, refusedMove, chat, send, sitDown };
}
