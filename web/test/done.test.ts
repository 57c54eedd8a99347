import assert from "node:assert/strict";
import { test } from "node:test";
import { isDone } from "../src/learn/done.ts";

const moves = (...texts: string[]) => texts.map((text, index) => ({ text, player: index % 2, ply: index + 1, clocks: null }));

test("a goal is reached when the moves since the lesson's position match it as a whole", () => {
  assert.ok(isDone("4", moves("1", "2", "4"), 2));
  assert.ok(!isDone("4", moves("1", "2", "45"), 2));
  assert.ok(isDone("pass pass", moves("pass", "pass"), 0));
  assert.ok(isDone("e8|j8", moves("j8"), 0));
  assert.ok(!isDone("e8|j8", moves("j8", "a1"), 0));
});

test("no goal is reached without a move", () => {
  assert.ok(!isDone(".*", [], 0));
  assert.ok(!isDone(".*", moves("a1"), 1));
});
