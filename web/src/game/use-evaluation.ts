// The engine's opinion of a game, from the site's own line for it: by ply, with the best move, while somebody wants it.
import { useEffect, useRef, useState } from "preact/hooks";
import type { BarEntry, FromBar, GameState, MoveInfo, ToBar } from "../api.gen.ts";
import { Connection } from "../connection.ts";
import type { News } from "../connection.ts";

export interface Evaluating {
  /** By moves played. */
  entries: Map<number, BarEntry>;
  /** What to say instead of numbers; empty if there is nothing to say. */
  words: string;
}

const AGAIN_MS = 30_000;
const NOTHING: Evaluating = { entries: new Map(), words: "" };
const LOST = "The engine's opinion cannot be had at the moment. Trying again…";

/** Follow the evaluation of game `id` while `on`. */
export function useEvaluation(id: string | null, state: GameState | null, on: boolean): Evaluating {
  const [found, setFound] = useState(NOTHING);
  const latest = useRef(state);
  latest.current = state;
  const [attempt, setAttempt] = useState(0);
  const ready = state !== null && state.status !== "waiting";
  const secret = state !== null && state.rated && state.status !== "over"; // asked anew when it is told
  useEffect(() => {
    setFound(NOTHING);
    const game = latest.current;
    if (!on || !id || !ready || !game) return;
    let over = false;
    let again: ReturnType<typeof setTimeout> | undefined;
    const hello: ToBar = {
      type: "eval-handshake",
      gameId: id,
      game: game.game,
      variant: game.variant,
      boardWidth: game.board.columns,
      boardHeight: game.board.rows,
    };
    const onMessage = (message: News<FromBar>) => {
      if (message.type === "eval-handshake-rejected") {
        over = true;
        if (message.code === "NO_BOT") again = setTimeout(() => setAttempt(attempt + 1), AGAIN_MS); // one may come
      }
      setFound((old) => heard(old, message));
    };
    const line: Connection<FromBar, ToBar> = new Connection<FromBar, ToBar>(
      `/ws/eval/${encodeURIComponent(id)}`,
      onMessage,
      (now) => {
        if (now === "open") line.send(hello);
        else if (over) line.close(); // why was said; asking again would not help
        else if (now === "lost") setFound((old) => ({ ...old, words: LOST }));
      },
    );
    return () => {
      clearTimeout(again);
      line.close();
    };
  }, [id, on, ready, secret, attempt]);
  const moves = state?.moves;
  const before = useRef(moves);
  useEffect(() => {
    const old = before.current;
    before.current = moves;
    if (old && moves) setFound((known) => stillTrue(known, old, moves));
  }, [moves]);
  return found;
}

/** What is known after a takeback: other moves lead to other positions, of which the engine has yet to speak. */
export function stillTrue(known: Evaluating, before: MoveInfo[], now: MoveInfo[]): Evaluating {
  const changed = before.findIndex(({ text }, index) => text !== now[index]?.text);
  if (changed < 0 || ![...known.entries.keys()].some((ply) => ply > changed)) return known;
  return { ...known, entries: new Map([...known.entries].filter(([ply]) => ply <= changed)) };
}

/** What is known after a message. */
export function heard(known: Evaluating, message: News<FromBar>): Evaluating {
  switch (message.type) {
    case "eval-handshake-accepted":
      return { ...known, words: "" };
    case "eval-history":
      return { entries: new Map(message.entries.map((entry) => [entry.ply, entry])), words: "" };
    case "eval-update":
      return { entries: new Map(known.entries).set(message.ply, message), words: "" };
    case "eval-pending":
      return { ...known, words: `The engine looks at the game: ${message.totalMoves} moves.` };
    case "eval-handshake-rejected":
    case "eval-error":
      return { ...known, words: message.message };
    default:
      return known; // a newer site may say more
  }
}

/** The entries by ply, over what the state itself knows. */
export function byPly(state: GameState, { entries }: Evaluating): (number | null)[] {
  const values = Array.from({ length: state.ply + 1 }, (_, ply) => state.evaluations[ply] ?? null);
  for (const [moves, entry] of entries) {
    const ply = moves === 0 ? 0 : state.moves[moves - 1]?.ply;
    if (ply !== undefined && ply < values.length) values[ply] = entry.evaluation;
  }
  return values;
}

/** What the engine would play at a ply. */
export function bestMoveAt(state: GameState, { entries }: Evaluating, ply: number): string {
  const moves = ply === 0 ? 0 : state.moves.findIndex((move) => move.ply === ply) + 1;
  if (ply !== 0 && moves === 0) return "";
  return entries.get(moves)?.bestMove ?? "";
}
