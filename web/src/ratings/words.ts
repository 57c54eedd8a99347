// Texts for ratings: names of games and speeds, values and counts of games.
import type { CatalogueGame, RatingInfo } from "../api.gen.ts";
import { rulesWords } from "../catalogue.ts";
import type { Offered } from "../catalogue.ts";
import { counted } from "../game/words.ts";

type Known = Pick<Offered, "entries" | "choices">;

/** The names of time classes; the times are a game's length for both sides and 40 moves. */
export const SPEEDS: Record<string, string> = {
  unlimited: "No clock",
  bullet: "Bullet, under 3 minutes",
  blitz: "Blitz, under 10 minutes",
  rapid: "Rapid, under 30 minutes",
  classical: "Classical, 30 minutes and more",
  days: "Over days",
};

/** Return the name of a time class without its limits: `Blitz`. */
export function speedWord(timeClass: string): string {
  return SPEEDS[timeClass]?.split(",")[0] ?? timeClass;
}

/** Return the display name of a rated game such as `GAME:VARIANT`. */
export function ratedWords({ entries, choices }: Known, rated: string): string {
  const [game = "", variant = "standard"] = rated.split(":");
  return rulesWords({ entries, choices }, { game, variant });
}

/** List the games with ratings: those of the catalogue in its order, then the others in `known`. */
export function ratedGames({ entries, choices }: Known, known: string[]): string[] {
  const variantsOf = ({ game, variant }: CatalogueGame) => [variant, ...(choices.find((one) => one.game === game)?.variants ?? []).map(({ value }) => value)];
  const own = (entries ?? []).flatMap((entry) => variantsOf(entry).map((variant) => `${entry.game}:${variant}`));
  return [...new Set([...own, ...known])];
}

export function valueWords({ rating, deviation }: Pick<RatingInfo, "rating" | "deviation">): string {
  return `${rating} ± ${deviation}`;
}

/** Say how a rating changed: `+12`, `−8`, `±0`. */
export function signed(change: number): string {
  return change === 0 ? "±0" : change > 0 ? `+${change}` : `−${-change}`;
}

export function countWords({ games, wins, draws, losses }: Pick<RatingInfo, "games" | "wins" | "draws" | "losses">): string {
  return `${counted(games, "game")}: ${wins} won, ${draws} drawn, ${losses} lost`;
}

export const pathOf = (name: string) => `/people/${encodeURIComponent(name)}`;
export const pathOfList = (game: string, timeClass: string) => `/ratings?${new URLSearchParams({ game, timeClass })}`;
