// The ratings of a rated game's players, fetched from the site.
import { useEffect, useState } from "preact/hooks";
import type { GameState, RatingChange, RatingInfo } from "../api.gen.ts";
import { personNamed } from "../people.ts";
import { signed } from "../ratings/words.ts";

/** Return both ratings by side; null for an open seat, an unrated player, or an unrated game. */
export function useRatings(state: GameState | null): [number | null, number | null] {
  const [known, setKnown] = useState<Map<string, RatingInfo[]>>(new Map());
  const names = state?.rated ? state.players.filter(({ kind }) => kind === "person").map(({ name }) => name) : [];
  useEffect(() => {
    for (const name of names) {
      personNamed(name).then(
        ({ ratings }) => setKnown((old) => new Map(old).set(name, ratings)),
        () => {}, // on failure, no rating is shown
      );
    }
  }, [names.join(" ")]);
  if (!state?.rated) return [null, null];
  const [first, second] = state.players.map(({ name }) => ratingFor(state, known.get(name) ?? []));
  return [first ?? null, second ?? null];
}

/** Say how a game changed a rating: `1512 → 1519 (+7)`. */
export function changeWords({ before, after }: RatingChange): string {
  return `${before} → ${after} (${signed(after - before)})`;
}

/** Return the rating that a game affects; null if there is none yet. */
export function ratingFor({ game, variant, timeClass }: GameState, ratings: RatingInfo[]): number | null {
  return ratings.find((one) => one.game === `${game}:${variant}` && one.timeClass === timeClass)?.rating ?? null;
}
