import assert from "node:assert/strict";
import { test } from "node:test";
import type { Piece } from "../src/api.gen.ts";
import { follow } from "../src/board/identity.ts";

const cat = (row: number, column: number, owner = 0): Piece => ({ at: [row, column], shape: "cat", owner });

test("a piece that moved keeps its key", () => {
  const before = follow([], [cat(0, 0), cat(0, 4, 1)]);
  const after = follow(before, [cat(1, 0), cat(0, 4, 1)]);
  assert.deepEqual(after.map((known) => known.key), before.map((known) => known.key));
  assert.deepEqual(after.map((known) => known.fresh), [false, false]);
});

test("a piece that stayed keeps its key when another piece moves", () => {
  const before = follow([], [cat(0, 0), cat(2, 2)]);
  const after = follow(before, [cat(2, 2), cat(0, 1)]);
  assert.equal(after[0]?.key, before[1]?.key);
  assert.equal(after[1]?.key, before[0]?.key);
});

test("a new piece is marked as fresh and a captured one is dropped", () => {
  const before = follow([], [cat(0, 0)]);
  const after = follow(before, [cat(0, 0), cat(2, 0)]);
  assert.deepEqual(after.map((known) => known.fresh), [false, true]);
  assert.equal(follow(after, [cat(2, 0)]).length, 1);
});

test("pieces of different players are never matched", () => {
  const before = follow([], [cat(0, 0, 0)]);
  assert.equal(follow(before, [cat(0, 1, 1)])[0]?.fresh, true);
});
