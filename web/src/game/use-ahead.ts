// The hook for the board after the person's own actions while the site has not confirmed them, in turns of several actions.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Act, GameState } from "../api.gen.ts";
import { study } from "../api.ts";
import { playAhead, seenOf } from "../board/ahead.ts";
import type { Known, Turn } from "../board/ahead.ts";
import { knownFrom } from "../board/rules.ts";

const isMine = (state: GameState) => state.status === "playing" && state.you !== null && state.you === state.toPlay;

const turnOf = ({ board, toPlay, staged }: GameState): Turn => ({ board, toPlay, step: staged });

/** Identify the position after `ply` actions: a takeback may lead to another one. */
const keyOf = ({ id, moves }: GameState, ply: number) => [id, ...moves.filter((move) => move.ply <= ply).map(({ text }) => text)].join(" ");

/** Return the turn after `pending`, the sent actions; null if it is not known, or nothing is pending. */
export function useAhead(state: GameState | null, pending: readonly Act[]): Turn | null {
  const [base, setBase] = useState<{ ply: number; key: string; known: Known } | null>(null);
  const last = useRef<GameState | null>(null);
  const acted = useRef(new Map<number, number>()); // own actions by the number of actions before them
  for (const { ply, action } of pending) acted.current.set(ply, action);

  useEffect(() => {
    const before = last.current;
    last.current = state;
    if (!state || (before?.ply === state.ply && before.id === state.id)) return;
    const seen = seenOf(state.spec);
    if (isMine(state)) seen.learn(turnOf(state));
    if (state.staged) seen.goesOn = true;
    if (!before || !isMine(before) || before.id !== state.id || state.ply !== before.ply + 1) return;
    const choice = before.board.choices.find(({ action }) => action === acted.current.get(before.ply));
    if (choice) seen.compare(turnOf(before), choice, state.board);
  }, [state]);

  const begins = !!state && isMine(state) && !state.staged;
  useEffect(() => {
    if (!state || !begins || !seenOf(state.spec).goesOn) return;
    const { spec, setup, ply } = state;
    let gone = false;
    const find = async () => {
      const { device } = await study({ spec, setup, moves: state.moves.map(({ text }) => text), actions: [] });
      const known = device && device.skipped + device.actions.length === ply ? await knownFrom(device) : null;
      if (known && !gone) setBase({ ply, key: keyOf(state, ply), known });
    };
    find().catch(() => {}); // then the board waits for the site, as without an engine
    return () => {
      gone = true;
    };
  }, [state?.id, state?.ply, begins]);

  return useMemo(() => {
    if (!state || !base || !isMine(state) || !pending.length || keyOf(state, base.ply) !== base.key) return null;
    try {
      const { rules } = base.known;
      let now = base.known.state;
      for (let { ply } = base; ply < state.ply; ply += 1) now = rules.apply(now, acted.current.get(ply) ?? -1);
      return playAhead(seenOf(state.spec), { rules, state: now }, turnOf(state), pending.map(({ action }) => action));
    } catch {
      return null; // the game went on in another way
    }
  }, [state, base, pending]);
}
