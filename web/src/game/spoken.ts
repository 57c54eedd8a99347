// Sentences and sounds for changes of a game. Pure functions.
import type { GameState, OfferInfo } from "../api.gen.ts";
import { changes } from "../board/reading.ts";
import type { Change } from "../board/reading.ts";
import type { Sound } from "../sound.ts";
import { claimWords, counted, offerWords, playerOf, resultLine, stalledWords } from "./words.ts";

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

/** Return the announcement for a new state; what `before` already announced is not repeated. */
export function spoken(before: GameState | null, state: GameState): string {
  return [before && happened(before, state), ...offered(before, state), claimable(before, state), stalled(before, state)].filter(Boolean).join(" ");
}

/** Describe a new move, a takeback or the end of the game. */
function happened(before: GameState, state: GameState): string {
  if (state.ply > before.ply) {
    const stage = state.board.stage === before.board.stage ? "" : state.board.stage;
    return [sentence(state, changes(before.board, state.board)), stage].filter(Boolean).join(" ");
  }
  if (state.status === "over" && before.status !== "over") return `${resultLine(state)}.`; // ended by resignation, time or agreement, without a move
  return state.ply < before.ply ? "Taken back." : "";
}

/** Describe the offers that were not in the state before; players only. */
function offered(before: GameState | null, state: GameState): string[] {
  const isOld = ({ what, by }: OfferInfo) => !!before?.offers.some((old) => old.what === what && old.by === by);
  return state.you === null ? [] : state.offers.filter((offer) => !isOld(offer)).map((offer) => offerWords(state, offer));
}

function claimable(before: GameState | null, state: GameState): string {
  const words = claimWords(state);
  return before && claimWords(before) === words ? "" : words;
}

/** Describe that the opponent, a bot, does not answer; once, though the time left changes. */
function stalled(before: GameState | null, state: GameState): string {
  const isOld = before?.stalled && before.stalled.gone === state.stalled?.gone;
  return state.you === null || isOld ? "" : stalledWords(state);
}

/** Format a time as `1 minute 5 seconds`, or as `2 days 5 hours`. */
export function spokenTime(left: number): string {
  const seconds = Math.ceil(left / 1000);
  const hours = Math.floor(seconds / 3600);
  if (hours >= 24) return `${counted(Math.floor(hours / 24), "day")} ${counted(hours % 24, "hour")}`;
  const minutes = Math.floor(seconds / 60);
  return minutes ? `${counted(minutes, "minute")} ${counted(seconds % 60, "second")}` : counted(seconds, "second");
}
