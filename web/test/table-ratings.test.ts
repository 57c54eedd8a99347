import assert from "node:assert/strict";
import { test } from "node:test";
import { changeWords, ratingFor } from "../src/game/use-ratings.ts";
import { state } from "./states.ts";

const rating = (game: string, timeClass: string, value: number) => ({
  name: "Ann", game, timeClass, rating: value, deviation: 90, games: 3, wins: 1, draws: 1, losses: 1, provisional: false,
});

test("a rated game shows the rating of its variant and time class", () => {
  const ratings = [rating("wallgame:standard", "blitz", 1600), rating("wallgame:classic", "rapid", 1700), rating("wallgame:classic", "blitz", 1500)];
  const game = state({ rated: true, timeClass: "blitz" });
  assert.equal(ratingFor(game, ratings), 1500);
  assert.equal(ratingFor(game, ratings.slice(0, 2)), null);
});

test("a change of a rating is told with its sign", () => {
  assert.equal(changeWords({ before: 1512, after: 1519 }), "1512 → 1519 (+7)");
  assert.equal(changeWords({ before: 1512, after: 1500 }), "1512 → 1500 (−12)");
  assert.equal(changeWords({ before: 1512, after: 1512 }), "1512 → 1512 (±0)");
});
