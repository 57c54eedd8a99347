import assert from "node:assert/strict";
import { test } from "node:test";
import { accuracyOf, accuracyOfMove, byPly, errorsIn, marksOf, mistakesOf } from "../src/review/accuracy.ts";
import { markWords, numbered, ordinal, progressWords } from "../src/review/words.ts";

const move = (ply: number, player: number, text = String(ply)) => ({ text, player, ply, clocks: null });
const at = (evaluation: number, bestMove = "", ...lines: number[]) => ({
  evaluation,
  bestMove,
  lines: lines.map((value) => ({ moves: ["x"], evaluation: value, visits: 1, proved: false })),
  ownership: [],
  lead: null,
  proved: false,
});

test("the accuracy of a move falls with the lost win chance, and is 100 % without a loss", () => {
  assert.ok(Math.abs(accuracyOfMove(50, 50) - 100) < 0.001);
  assert.ok(Math.abs(accuracyOfMove(50, 60) - 100) < 0.001);
  assert.ok(Math.abs(accuracyOfMove(60, 50) - 63.58) < 0.01); // 103.1668 * exp(-0.4354) - 3.1669, by hand
  assert.equal(accuracyOfMove(100, 0), 0);
});

test("a side that plays the judge's moves has an accuracy of 100 %, whatever a later search says", () => {
  const moves = [move(1, 0, "a"), move(2, 1, "b"), move(3, 0, "c"), move(4, 1, "d")];
  const [first, second] = accuracyOf(moves, [at(0, "a"), at(-0.4, "x"), at(0.6, "c"), at(0.6, "x"), at(0.6)]);
  assert.equal(first, 100);
  assert.ok(second !== null && second < 60, "player 1 lost half of the win chance");
});

test("the accuracy of a side is the mean of the weighted and the harmonic mean", () => {
  // windows of two positions: 60, 50 and 50, 50 % win chance
  const moves = [move(1, 0), move(2, 0)];
  const [first, second] = accuracyOf(moves, [at(0.2), at(0), at(0)]);
  const loses = accuracyOfMove(60, 50);
  const window = (values: number[]) => {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return Math.max(0.5, Math.min(12, Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length)));
  };
  const [one, two] = [window([60, 50]), window([50, 50])];
  const full = accuracyOfMove(50, 50);
  const expected = ((one * loses + two * full) / (one + two) + 2 / (1 / loses + 1 / full)) / 2;
  assert.ok(Math.abs((first ?? 0) - expected) < 1e-6, `${first}, ${expected}`);
  assert.equal(second, null);
});

test("a move is marked by the loss of win chance; the judge's own move is best, or the only good one", () => {
  const moves = [move(1, 0, "a"), move(2, 1, "b"), move(3, 0, "c"), move(4, 1, "d"), move(5, 0, "e")];
  const positions = [at(0, "a", 0, -0.1), at(0, "x"), at(0.7, "x"), at(0.3, "d", -0.3, 0.4), at(-0.3, "x"), at(-0.5)];
  const marks = marksOf(moves, positions);
  assert.deepEqual(
    [...marks].map(([ply, { kind, sign }]) => [ply, kind, sign]),
    [
      [1, "best", "✓"],
      [2, "blunder", "??"],
      [3, "mistake", "?"],
      [4, "only", "□"],
      [5, "inaccuracy", "?!"],
    ],
  );
  assert.deepEqual([...errorsIn(marks).keys()], [2, 3, 5]);
  assert.deepEqual(mistakesOf(moves, marks, 0), [2]);
  assert.deepEqual(mistakesOf(moves, marks, 1), [1]);
});

test("the values of moves of two actions stand at their last actions", () => {
  assert.deepEqual(byPly([move(2, 0), move(4, 1)], [at(0.1), at(0.2), at(0.3)], 4).values, [0.1, null, 0.2, null, 0.3]);
  assert.deepEqual(byPly([move(2, 0), move(3, 1)], [at(0.1), at(0.2)], 3).values, [0.1, null, 0.2, null]);
});

test("a review is described in sentences", () => {
  assert.deepEqual([1, 2, 3, 4, 11, 12, 13, 21, 22, 101, 111].map(ordinal), "1st 2nd 3rd 4th 11th 12th 13th 21st 22nd 101st 111th".split(" "));
  const state = { key: "k", state: "waiting" as const, ahead: 2, done: 0, total: 9, deeper: false, evaluations: [], yours: true, trouble: "", kept: null, better: "" };
  assert.equal(progressWords(state), "Review: 3rd in the queue");
  assert.equal(progressWords({ ...state, ahead: 0 }), "Review: next in the queue");
  assert.equal(progressWords({ ...state, state: "running", done: 4 }), "Review: 4 of 9 positions");
  assert.equal(progressWords({ ...state, state: "running", done: 1, total: 3, deeper: true }), "Looking deeper: 1 of 3 positions");
  const moves = [move(1, 0, "e4"), move(2, 1, "e5"), move(3, 0, "Qh5")];
  assert.deepEqual([0, 1, 2].map((index) => numbered(moves, index)), ["1. e4", "1… e5", "2. Qh5"]);
  assert.equal(markWords("2. Qh5", { kind: "blunder", sign: "??", loss: 0.7 }, at(0.7, "Nf3")), "2. Qh5 is a blunder: it lost 35 % of the win chance.");
  assert.equal(markWords("2. Qh5", undefined, at(0.7, "Nf3")), "2. Qh5 is a good move.");
  assert.equal(markWords("2. Qh5", undefined, at(1)), "");
});
