// Whether a running game shows evaluations: as the setting says, except that help is never carried into a game between people.
import { useState } from "preact/hooks";
import type { GameState } from "../api.gen.ts";
import { prefer, usePrefs } from "../prefs.ts";

interface Switch {
  on: boolean;
  toggle: () => void;
}

/** Return the switch of game `id`; where two people have agreed on the bar it is on at first, and never remembered. */
export function useEvaluationSwitch(id: string, state: GameState | null): Switch {
  const { evaluation } = usePrefs();
  const [hidden, setHidden] = useState("");
  if (!state || !state.mayEvaluate) return { on: false, toggle: () => {} };
  if (isPlayedByPeople(state)) return { on: hidden !== id, toggle: () => setHidden(hidden === id ? "" : id) };
  return { on: evaluation, toggle: () => prefer({ evaluation: !evaluation }) };
}

/** Whether you are playing a game against a person. */
export function isPlayedByPeople({ you, players, status }: Pick<GameState, "you" | "players" | "status">): boolean {
  return you !== null && status !== "over" && players.every((player) => player.kind !== "bot");
}
