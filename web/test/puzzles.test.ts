import assert from "node:assert/strict";
import { test } from "node:test";
import type { Solution } from "../src/api.gen.ts";
import { solve, solved } from "../src/puzzles/solved.ts";
import { countWords, goalWords, nextPuzzle, reasons } from "../src/puzzles/words.ts";

const found: Solution = {
  lines: [],
  played: "b3",
  valuePlayed: 0,
  wrong: "b2",
  valueWrong: 0.1,
  valueShort: 0.2,
  short: 30,
  proved: true,
  model: "tiny",
  visits: 4000,
};

test("the goal names the outcome and the number of solutions", () => {
  assert.equal(goalWords({ goal: "win", right: 1 }), "Find the move that wins.");
  assert.equal(goalWords({ goal: "win", right: 2 }), "Find a move that wins; there are 2.");
  assert.equal(goalWords({ goal: "good", right: 1 }), "Find the only good move.");
  assert.equal(goalWords({ goal: "draw", right: 3 }), "Find a move that holds the draw; there are 3.");
});

test("the count of puzzles includes the number solved", () => {
  assert.equal(countWords(["a"], new Set()), "1 puzzle");
  assert.equal(countWords(["a", "b", "c"], new Set(["b", "x"])), "3 puzzles, 1 solved");
  assert.equal(countWords(["a", "b"], new Set(["a", "b"])), "2 puzzles, all solved");
});

test("the next puzzle is the next unsolved one, wrapping around at the end", () => {
  assert.equal(nextPuzzle(["a", "b", "c"], "a", new Set(["b"])), "c");
  assert.equal(nextPuzzle(["a", "b", "c"], "c", new Set(["a"])), "b");
  assert.equal(nextPuzzle(["a", "b", "c"], "a", new Set(["a", "b", "c"])), "b");
  assert.equal(nextPuzzle(["a"], "a", new Set()), null);
});

test("the explanation names the move of the game, and the best other move if that differs", () => {
  assert.match(reasons(found, 0)[0] ?? "", /^In the game, b3 was played \(win chance 50 %\)\. The best of the other moves, b2, leaves a win chance of 55 %\.$/);
  assert.equal(reasons({ ...found, wrong: "b3" }, 0)[0], "In the game, b3 was played (win chance 50 %).");
  assert.match(reasons(found, 0)[1] ?? "", /^tiny proved the outcome with 4000 visits; with only 30 visits it estimated 60 %\.$/);
  assert.match(reasons({ ...found, proved: false }, 1)[1] ?? "", /^tiny found these chances with 4000 visits; with only 30 visits it estimated 40 %\.$/);
});

test("solved puzzles are remembered without browser storage", () => {
  solve("a");
  solve("b");
  solve("a");
  assert.deepEqual([...solved()].sort(), ["a", "b"]);
});
