// What the players of a rated game are rated, asked of the site once they sit there.
import { useEffect, useState } from "preact/hooks";
import type { GameState, RatingInfo } from "../api.gen.ts";
import { personNamed } from "../people.ts";

/** By side; null where nobody sits, or is not rated yet, or the game counts for nothing. */
export function useRatings(state: GameState | null): [number | null, number | null] {
  const [known, setKnown] = useState<Map<string, RatingInfo[]>>(new Map());
  const names = state?.rated ? state.players.filter(({ kind }) => kind === "person").map(({ name }) => name) : [];
  useEffect(() => {
    for (const name of names) {
      personNamed(name).then(
        ({ ratings }) => setKnown((old) => new Map(old).set(name, ratings)),
        () => {}, // then the table shows none
      );
    }
  }, [names.join(" ")]);
  if (!state?.rated) return [null, null];
  const [first, second] = state.players.map(({ name }) => ratingFor(state, known.get(name) ?? []));
  return [first ?? null, second ?? null];
}

/** The rating for which a game counts. */
export function ratingFor({ game, variant, timeClass }: GameState, ratings: RatingInfo[]): number | null {
  return ratings.find((one) => one.game === `${game}:${variant}` && one.timeClass === timeClass)?.rating ?? null;
}
