import assert from "node:assert/strict";
import { test } from "node:test";
import { clocksAfter, clocksAt } from "../src/replay/clocks.ts";

const move = (player: number, ply: number, timeLeft: [number | null, number | null] | null) => {
  const told = { text: `move to ${ply}`, player, ply, timeLeft };
  return { text: told.text, player, ply, clocks: clocksAfter(told) };
};

test("a replay shows the clocks after the latest move, and their initial times before the first", () => {
  const moves = [move(0, 2, [182, 180]), move(1, 4, [182, 175.5]), move(0, 6, [3.25, 175.5])];
  assert.deepEqual(clocksAt(moves, 0), [180_000, 180_000]);
  assert.deepEqual(clocksAt(moves, 1), [180_000, 180_000], "a move counts from its last action");
  assert.deepEqual(clocksAt(moves, 2), [182_000, 180_000]);
  assert.deepEqual(clocksAt(moves, 5), [182_000, 175_500]);
  assert.deepEqual(clocksAt(moves, 6), [3_250, 175_500]);
});

test("a game without clocks or without moves shows no clocks", () => {
  for (const kept of [null, [null, null]] as const) assert.equal(clocksAt([move(0, 1, kept && [...kept])], 1), null);
  assert.equal(clocksAt([move(0, 1, null)], 0), null);
  assert.equal(clocksAt([], 0), null);
});
