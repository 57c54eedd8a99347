// What a change of the game sounds like: a sentence and the name of a sound; pure, so that it can be tested.
import type { GameState } from "../api.gen.ts";
import type { Change } from "../board/reading.ts";
import type { Sound } from "../sound.ts";
import { playerOf, resultLine } from "./words.ts";

export function soundOf(change: Change): Sound {
  if (change.taken) return "capture";
  return change.walls ? "wall" : "step";
}

export function endSound({ you, result }: GameState): Sound {
  if (!result || result.winner === null) return "draw";
  return you === null || you === result.winner ? "win" : "loss";
}

/** `Wally: cat to b4, wall above c3. Your turn.` */
export function sentence(state: GameState, change: Change): string {
  const last = state.moves[state.moves.length - 1];
  const who = !last ? "" : last.player === state.you ? "You" : playerOf(state, last.player).name;
  const what = change.words.length ? change.words.join(", ") : (last?.text ?? "");
  const next = state.result ? `${resultLine(state)}.` : state.you === state.toPlay ? "Your turn." : "";
  return `${who}: ${what}. ${next}`.trim();
}

/** `1 minute 5 seconds`. */
export function spokenTime(left: number): string {
  const seconds = Math.ceil(left / 1000);
  const minutes = Math.floor(seconds / 60);
  return minutes ? `${counted(minutes, "minute")} ${counted(seconds % 60, "second")}` : counted(seconds, "second");
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
