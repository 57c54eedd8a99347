// Texts about a training run. Pure functions.
import type { SampleGame, TrainedGeneration, TrainingRun } from "../api.gen.ts";

/** Return a duration in words: `2 h 05 min`, `3 min`, `40 s`. */
export function durationWords(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.round(whole / 60);
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`;
}

const UNITS: Record<string, string> = { "self-play": "games", learning: "steps", matches: "matches" };

/** Return what the run does now. */
export function stateWords(run: TrainingRun): string {
  if (run.state === "starting") return run.note || "Training starts.";
  if (run.state === "paused") return `Paused in generation ${run.generation}.`;
  if (run.state === "finished") return run.note;
  if (run.state === "failed") return `Training has stopped: ${run.note}`;
  const unit = UNITS[run.stage];
  const stage = unit ? `: ${run.stage}, ${run.done} of ${run.total} ${unit}` : "";
  const left = run.remainingS === null ? "" : ` About ${durationWords(run.remainingS)} to go.`;
  return `Generation ${run.generation}, the last is ${run.of - 1}${stage}.${left}`;
}

export function eloWords({ elo, eloError }: Pick<TrainedGeneration, "elo" | "eloError">): string {
  if (elo === null) return "–";
  const sign = elo >= 0 ? "+" : "−";
  return `${sign}${Math.abs(elo).toFixed(0)} ± ${(eloError ?? 0).toFixed(0)}`;
}

/** Return the result of a sample game, given the names of the sides. */
export function resultWords(game: Pick<SampleGame, "winner" | "reason">, players: [string, string]): string {
  const reason = game.reason ? ` (${game.reason})` : "";
  return game.winner === null ? `A draw${reason}.` : `Won by ${players[game.winner === 0 ? 0 : 1]}${reason}.`;
}

/** Return who plays for the site now. */
export function playingWords(playing: number | null): string {
  return playing === null ? "The site's bots play without a network until the first generation is done." : `The site's bots play with generation ${playing}.`;
}
