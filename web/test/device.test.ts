import assert from "node:assert/strict";
import { test } from "node:test";
import type { DevicePosition } from "../src/api.gen.ts";
import { progressWords } from "../src/device/engine.ts";
import { reaches } from "../src/device/line.ts";
import { toTell } from "../src/device/words.ts";
import { mayEvaluateHere } from "../src/game/use-own-evaluation.ts";
import { state } from "./states.ts";

const line = (action: number, more = {}) => ({ action, actions: [action, 9], visits: 5, value: 0.5, draw: 0, prior: 0.1, proof: 0, winsIn: 0, ...more });
const found = (more = {}) => ({ action: 3, best: [3, 9], value: 0.25, draw: 0, visits: 20, kept: 0, proof: 0, seconds: 1, lines: [line(2), line(3)], ...more });

test("the best move is told first, and lines without actions are left out", () => {
  const told = toTell(found({ lines: [line(2), line(4, { actions: [] }), line(3)] }), 7);
  assert.equal(told.ply, 7);
  assert.deepEqual(told.lines?.map(({ actions }) => actions), [[3, 9], [2, 9]]);
});

test("a proof is told as its exact outcome, whatever the mean of the values is", () => {
  assert.deepEqual([1, 2, 3, 0].map((proof) => toTell(found({ proof }), 0).value), [1, -1, 0, 0.25]);
  assert.deepEqual([1, 0].map((proof) => toTell(found({ proof }), 0).proved), [true, false]);
  assert.equal(toTell(found({ value: 1.0000001 }), 0).value, 1);
});

test("no more is told than the site takes", () => {
  const long = line(3, { actions: Array.from({ length: 60 }, () => 1) });
  const told = toTell(found({ lines: Array.from({ length: 9 }, () => long) }), 0);
  assert.equal(told.lines?.length, 5);
  assert.ok(told.lines?.every(({ actions }) => actions.length === 24));
});

test("the engine reaches the positions from its first state to the last action that it knows", () => {
  const device: DevicePosition = { manifest: "m", spec: "s", start: "", skipped: 2, actions: [5, 6] };
  assert.deepEqual([1, 2, 4, 5].map((ply) => reaches(device, ply)), [false, true, true, false]);
});

test("progress is told in megabytes until everything has arrived", () => {
  assert.equal(progressWords(1_240_000, 4_900_000), "Loading the engine: 1.2 of 4.9 MB");
  assert.equal(progressWords(4_900_000, 4_900_000), "Starting the engine…");
});

test("this device evaluates games with bots and finished games, never a running game of two people or a rated one", () => {
  const people = [{ kind: "person" }, { kind: "person" }] as never;
  const may = { mayEvaluate: true };
  assert.equal(mayEvaluateHere(state(may)), true);
  assert.equal(mayEvaluateHere(state({ ...may, rated: true })), false);
  assert.equal(mayEvaluateHere(state({ ...may, players: people, withEvaluation: true })), false);
  assert.equal(mayEvaluateHere(state({ ...may, players: people, status: "over" })), true);
  assert.equal(mayEvaluateHere(state({ ...may, status: "waiting" })), false);
  assert.equal(mayEvaluateHere(state({ mayEvaluate: false })), false);
});
