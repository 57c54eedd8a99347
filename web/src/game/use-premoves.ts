// The hook for premoves: collects them during the opponent's turn, plays them one by one during the player's own.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Board, GameState } from "../api.gen.ts";
import { NO_HABITS, choicesOf, habitsFrom, premoveChoices, withPremoves } from "../board/premoves.ts";
import type { Premove } from "../board/premoves.ts";

interface Premoving {
  premoves: Premove[];
  /** The board after the premoves, with the choices for another one; null if premoves are not possible. */
  board: Board | null;
  /** The actions that match an ambiguous premove, for the person to choose from. */
  open: number[];
  add: (action: number) => void;
  clear: () => void;
}

/** Collect and play premoves; `act` plays a legal action, and is called only while `ready`. */
export function usePremoves(state: GameState | null, ready: boolean, act: (action: number) => void): Premoving {
  const [premoves, setPremoves] = useState<Premove[]>([]);
  const [open, setOpen] = useState<number[]>([]);
  const habits = useRef(NO_HABITS);
  const played = useRef(0);
  const you = state?.you ?? null;
  const mine = !!state && you === state.toPlay;
  if (state && mine) habits.current = habitsFrom(habits.current, state.board);

  const waiting = !!state && you !== null && !mine && state.status === "playing";
  const board = useMemo(() => {
    if (!state || !waiting) return null;
    const after = withPremoves(state.board, premoves, you ?? 0);
    const choices = premoveChoices(after, habits.current, you ?? 0);
    return choices.length ? { ...after, choices } : null;
  }, [state?.board, waiting, premoves]);

  useEffect(() => {
    const [first] = premoves;
    const takenBack = !!state && state.ply < played.current;
    if (state?.ply !== played.current) setOpen((old) => (old.length ? [] : old));
    played.current = state?.ply ?? 0;
    if (!state || !first) return;
    if (state.status === "over" || takenBack) {
      setPremoves([]); // the premoves no longer apply
      return;
    }
    if (!mine || !ready) return;
    const choices = choicesOf(first, state.board.choices);
    const [choice] = choices;
    if (!choice || choices.length > 1) {
      setPremoves([]); // the premove is illegal or ambiguous: the person decides
      setOpen(choices.map(({ action }) => action));
      return;
    }
    setPremoves(premoves.slice(1));
    act(choice.action);
  }, [state?.ply, state?.toPlay, ready, state?.status]);

  const add = (action: number) => {
    const choice = board?.choices[action];
    if (choice?.at) setPremoves((old) => [...old, { kind: choice.kind, at: choice.at ?? [0, 0], source: choice.source }]);
  };
  return { premoves, board, open, add, clear: () => setPremoves((old) => (old.length ? [] : old)) };
}
