// Announces each change of a game: plays a sound, and gives screen readers a sentence.
import { useEffect, useRef, useState } from "preact/hooks";
import type { GameState } from "../api.gen.ts";
import { changes } from "../board/reading.ts";
import { play } from "../sound.ts";
import { faceOf, overtimeText } from "./clock-face.ts";
import { useKeys } from "./steps.tsx";
import { endSound, soundOf, spoken, spokenTime } from "./spoken.ts";
import { playerOf } from "./words.ts";

const NOWHERE = () => {};

function clocksWords(state: GameState, after: number): string {
  const { clock } = state;
  if (!clock) return "There are no clocks.";
  return [0, 1]
    .map((player) => {
      const face = faceOf(clock, player, after);
      const more = overtimeText(clock, face);
      return `${playerOf(state, player).name}: ${spokenTime(face.left)}${more && `, ${more}`}.`;
    })
    .join(" ");
}

function playSound(before: GameState | null, state: GameState): void {
  if (!before) {
    if (state.ply === 0) play("start");
    return;
  }
  if (state.ply > before.ply) play(soundOf(changes(before.board, state.board)));
  if (state.status === "over" && before.status !== "over") play(endSound(state));
}

/** Announces changes of the game, and the clocks when `c` is pressed; `since` is when the state arrived. */
export function Announcer({ state, since }: { state: GameState; since: number }) {
  const seen = useRef<GameState | null>(null);
  const [said, setSaid] = useState("");
  // screen readers ignore unchanged text: a repeated sentence gets an inaudible space at its end
  const say = (words: string) => setSaid((old) => (old === words ? `${words}\u00a0` : words));
  useEffect(() => {
    const before = seen.current;
    seen.current = state;
    playSound(before, state);
    const words = spoken(before, state);
    if (words) say(words);
  }, [state]);
  useKeys(NOWHERE, { c: () => say(clocksWords(state, performance.now() - since)) });
  return (
    <p class="visually-hidden" aria-live="polite" data-said>
      {said}
    </p>
  );
}
