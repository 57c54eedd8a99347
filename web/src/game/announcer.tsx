// What has just happened, once for the ears and once for the reader of a screen: sounds and a spoken sentence.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Board, GameState } from "../api.gen.ts";
import { changes } from "../board/reading.ts";
import { play } from "../sound.ts";
import { timeLeft } from "./clock.tsx";
import { useKeys } from "./steps.tsx";
import { playerOf, resultLine } from "./words.ts";
import { endSound, sentence, soundOf, spokenTime } from "./spoken.ts";

interface Seen {
  ply: number;
  board: Board;
  over: boolean;
}

const NOWHERE = () => {};

function clocksWords(state: GameState, after: number): string {
  const { clock } = state;
  if (!clock) return "There are no clocks.";
  return [0, 1].map((player) => `${playerOf(state, player).name}: ${spokenTime(timeLeft(clock, player, after))}.`).join(" ");
}

/** Say and play what changed in the running game, and the clocks when `c` is pressed. `since` is when the state came. */
export function Announcer({ state, since }: { state: GameState; since: number }) {
  const seen = useRef<Seen | null>(null);
  const [said, setSaid] = useState("");
  useEffect(() => {
    const before = seen.current;
    const over = state.status === "over";
    seen.current = { ply: state.ply, board: state.board, over };
    if (!before) {
      if (state.ply === 0) play("start");
      return;
    }
    if (state.ply > before.ply) {
      const change = changes(before.board, state.board);
      play(soundOf(change));
      setSaid(sentence(state, change));
    } else if (over && !before.over) {
      setSaid(`${resultLine(state)}.`); // by resignation, time or agreement: no move says it
    } else if (state.ply < before.ply) {
      setSaid("Taken back.");
    }
    if (over && !before.over) play(endSound(state));
  }, [state]);
  useKeys(NOWHERE, { c: () => setSaid(clocksWords(state, performance.now() - since)) });
  return (
    <p class="visually-hidden" aria-live="polite" data-said>
      {said}
    </p>
  );
}
