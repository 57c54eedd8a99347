// Texts and scales of the Training page.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { TrainingRun } from "../src/api.gen.ts";
import { ticks } from "../src/training/scale.ts";
import { durationWords, eloWords, resultWords, stateWords } from "../src/training/words.ts";

const RUN = { state: "training", note: "", generation: 3, of: 30, stage: "learning", done: 5, total: 40, remainingS: 90 } as TrainingRun;

test("durations are written with the units that matter", () => {
  assert.deepEqual([3, 59.4, 60, 125, 3600, 7500].map(durationWords), ["3 s", "59 s", "1 min", "2 min", "1 h 00 min", "2 h 05 min"]);
});

test("the state names generation, stage and remaining time", () => {
  assert.equal(stateWords(RUN), "Generation 3, the last is 29: learning, 5 of 40 steps. About 2 min to go.");
  assert.equal(stateWords({ ...RUN, stage: "", remainingS: null }), "Generation 3, the last is 29.");
  assert.equal(stateWords({ ...RUN, state: "failed", note: "The disk is full." }), "Training has stopped: The disk is full.");
  assert.equal(stateWords({ ...RUN, state: "paused" }), "Paused in generation 3.");
});

test("Elo has a sign and its error", () => {
  assert.equal(eloWords({ elo: -12.4, eloError: 30.2 }), "−12 ± 30");
  assert.equal(eloWords({ elo: 0, eloError: null }), "+0 ± 0");
  assert.equal(eloWords({ elo: null, eloError: null }), "–");
});

test("results name the winner and the reason", () => {
  assert.equal(resultWords({ winner: 1, reason: "" }, ["Cross", "Nought"]), "Won by Nought.");
  assert.equal(resultWords({ winner: null, reason: "board full" }, ["Cross", "Nought"]), "A draw (board full).");
});

test("axes have round numbers that cover all values", () => {
  assert.deepEqual(ticks(0, 6), [0, 2, 4, 6]);
  assert.deepEqual(ticks(-61, 1066), [-500, 0, 500, 1000, 1500]);
  assert.deepEqual(ticks(0.631, 0.7), [0.62, 0.64, 0.66, 0.68, 0.7]);
  assert.deepEqual(ticks(2, 2), [1.4, 1.6, 1.8, 2, 2.2, 2.4, 2.6]);
});
