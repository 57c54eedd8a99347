// Receives the engine's evaluations and best moves of a game over the site's evaluation socket.
import { useEffect, useRef, useState } from "preact/hooks";
import type { BarEntry, FromBar, GameState, MoveInfo, ToBar } from "../api.gen.ts";
import { tokenOf } from "../api.ts";
import { Connection } from "../connection.ts";
import type { News } from "../connection.ts";
import { numberAt } from "./words.ts";

export interface Evaluating {
  /** The evaluations by number of moves played. */
  entries: Map<number, BarEntry>;
  /** The message in place of missing evaluations; empty if there is none. */
  words: string;
}

const AGAIN_MS = 30_000;
const NOTHING: Evaluating = { entries: new Map(), words: "" };
const LOST = "The evaluation is not available right now. Trying again…";

/** Follow the evaluation of game `id` while `on`. */
export function useEvaluation(id: string | null, state: GameState | null, on: boolean): Evaluating {
  const [found, setFound] = useState(NOTHING);
  const latest = useRef(state);
  latest.current = state;
  const [attempt, setAttempt] = useState(0);
  const ready = state !== null && state.status !== "waiting";
  const allowed = state !== null && state.mayEvaluate; // players see evaluations after the game, unless the game allows them
  useEffect(() => {
    setFound(NOTHING);
    const game = latest.current;
    if (!on || !id || !ready || !allowed || !game) return;
    let over = false;
    let again: ReturnType<typeof setTimeout> | undefined;
    const hello: ToBar = {
      type: "eval-handshake",
      gameId: id,
      game: game.game,
      variant: game.variant,
      boardWidth: game.board.columns,
      boardHeight: game.board.rows,
      token: tokenOf(id),
    };
    const onMessage = (message: News<FromBar>) => {
      if (message.type === "eval-handshake-rejected") {
        over = true;
        if (message.code === "NO_BOT") again = setTimeout(() => setAttempt(attempt + 1), AGAIN_MS); // a bot may connect later
      }
      setFound((old) => heard(old, message));
    };
    const line: Connection<FromBar, ToBar> = new Connection<FromBar, ToBar>(
      `/ws/eval/${encodeURIComponent(id)}`,
      onMessage,
      (now) => {
        if (now === "open") line.send(hello);
        else if (over) line.close(); // the rejection gave a reason; a reconnect would not help
        else if (now === "lost") setFound((old) => ({ ...old, words: LOST }));
      },
    );
    return () => {
      clearTimeout(again);
      line.close();
    };
  }, [id, on, ready, allowed, attempt]);
  const moves = state?.moves;
  const before = useRef(moves);
  useEffect(() => {
    const old = before.current;
    before.current = moves;
    if (old && moves) setFound((known) => stillTrue(known, old, moves));
  }, [moves]);
  return found;
}

/** Drop the evaluations after the first changed move, as after a takeback. */
export function stillTrue(known: Evaluating, before: MoveInfo[], now: MoveInfo[]): Evaluating {
  const changed = before.findIndex(({ text }, index) => text !== now[index]?.text);
  if (changed < 0 || ![...known.entries.keys()].some((ply) => ply > changed)) return known;
  return { ...known, entries: new Map([...known.entries].filter(([ply]) => ply <= changed)) };
}

/** Return the evaluations with a message applied. */
export function heard(known: Evaluating, message: News<FromBar>): Evaluating {
  switch (message.type) {
    case "eval-handshake-accepted":
      return { ...known, words: "" };
    case "eval-history":
      return { entries: new Map(message.entries.map((entry) => [entry.ply, entry])), words: "" };
    case "eval-update":
      return { entries: new Map(known.entries).set(message.ply, message), words: "" };
    case "eval-pending":
      return { ...known, words: `The engine is evaluating the game: ${message.totalMoves} moves.` };
    case "eval-handshake-rejected":
    case "eval-error":
      return { ...known, words: message.message };
    default:
      return known; // a newer site may send other messages
  }
}

/** Return the evaluations by ply; received entries replace those of the game's state. */
export function byPly(state: GameState, { entries }: Evaluating): (number | null)[] {
  const values = Array.from({ length: state.ply + 1 }, (_, ply) => state.evaluations[ply] ?? null);
  return replaced(values, state.moves, entries, (entry) => entry.evaluation);
}

/** Return the expected leads by ply, in points. */
export function leadsByPly(state: GameState, { entries }: Evaluating): (number | null)[] {
  const leads = Array.from({ length: state.ply + 1 }, (): number | null => null);
  return replaced(leads, state.moves, entries, (entry) => entry.lead);
}

/** Replace the values by ply for which there is an entry. */
function replaced(values: (number | null)[], moves: MoveInfo[], entries: Map<number, BarEntry>, value: (entry: BarEntry) => number | null): (number | null)[] {
  for (const [number, entry] of entries) {
    const ply = number === 0 ? 0 : moves[number - 1]?.ply;
    if (ply !== undefined && ply < values.length) values[ply] = value(entry);
  }
  return values;
}

/** Return the engine's best move at a ply, empty if unknown, and the length of a forced win, 0 if unknown. */
export function bestAt(state: GameState, { entries }: Evaluating, ply: number): { bestMove: string; winsIn: number } {
  const { bestMove = "", winsIn = 0 } = entries.get(numberAt(state.moves, ply)) ?? {};
  return { bestMove, winsIn };
}
