// The boards and times that people choose from when they look for an opponent, and their names. Pure functions.
import type { CatalogueGame, EnterPool, PoolEntry, ToldTime } from "../api.gen.ts";
import type { TimeControl } from "../api.ts";
import { boardWords } from "../catalogue.ts";
import type { Offered } from "../catalogue.ts";
import { timeWords, timingOf, toldOf } from "../feeds.ts";
import { USUAL, clocksOf, timeFrom } from "../landing/times.ts";

export const ANY = "any";

/** The choices of a time for quick pairing: any, or one of the presets. */
export const POOL_TIMES = [{ value: ANY, name: "Any time" }, ...USUAL.map((value) => ({ value, name: timeName(value) }))];

/** The choices of the accepted difference of ratings. */
export const RANGES = [
  { value: ANY, name: "Any rating" },
  ...[100, 200, 400].map((most) => ({ value: String(most), name: `± ${most}` })),
];

/** Return the name of a preset: `5 + 3`. */
export function timeName(preset: string): string {
  return preset === "none" ? "No clock" : preset.replace("+", " + ");
}

/** Return the time controls of a choice. */
export function timesOf(choice: string): TimeControl[] {
  return (choice === ANY ? USUAL : [choice]).map((preset) => clocksOf(timeFrom(preset)).control);
}

export interface PoolChoice {
  entry: CatalogueGame;
  time: string;
  range: string;
  rated: boolean;
}

/** Return the message that begins a wait. */
export function wishOf({ entry, time, range, rated }: PoolChoice): EnterPool {
  const { game, variant, boardWidth, boardHeight } = entry;
  return { type: "seek", config: { game, variant, boardWidth, boardHeight }, rated, times: timesOf(time), range: range === ANY ? null : Number(range) };
}

/** Return the message that begins a wait for the people of an entry. */
export function wishFor(entry: PoolEntry): EnterPool {
  const { game, variant, boardWidth, boardHeight, rated } = entry;
  const times = entry.timeControls.map(timingOf);
  return { type: "seek", config: { game, variant, boardWidth, boardHeight }, rated, times, range: null };
}

/** Return the accepted times in words: `5 + 3 or no clock`. */
export function poolTimes(times: ToldTime[]): string {
  if (times.length >= USUAL.length) return "any time";
  const words = times.map(timeWords);
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} or ${words[words.length - 1] ?? ""}` : (words[0] ?? "");
}

/** Return a wish in words: `Chess, 5 + 3, rated`. */
export function wishWords(offered: Pick<Offered, "entries" | "choices">, { config, rated, times }: EnterPool): string {
  const board = boardWords(offered, { game: config.game ?? "", variant: config.variant ?? "standard", boardWidth: config.boardWidth, boardHeight: config.boardHeight });
  return `${board}, ${poolTimes(times.map(toldOf))}${rated ? ", rated" : ""}`;
}
