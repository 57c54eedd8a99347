import assert from "node:assert/strict";
import { test } from "node:test";
import { hintFrom } from "../src/game/hint.ts";
import { board, choice } from "./boards.ts";

// a board whose cat is on a3
const walls = board({
  choices: [choice("Cb3", "cell", [0, 1], [0, 0], 1), choice("Ca2", "cell", [1, 0], [0, 0], 2), choice(">b2", "right", [1, 1], null, 3)],
});
const drawn = (move: string, flip = false) => hintFrom(move, walls, flip).map(({ kind, source, at }) => [kind, source, at]);

test("a move of one action is drawn as its choice", () => {
  assert.deepEqual(hintFrom("Ca2", walls, false), [walls.choices[1]]);
});

test("a move of a step and a wall is drawn as two choices", () => {
  assert.deepEqual(drawn("Ca2.>b2"), [["cell", [0, 0], [1, 0]], ["right", null, [1, 1]]]);
});

test("two steps written as one term are drawn from the first cell to the last", () => {
  assert.deepEqual(drawn("Cb2"), [["cell", [0, 0], [1, 1]]]);
});

test("two steps written as two terms are drawn one after the other", () => {
  assert.deepEqual(drawn("Cb3.Cb2"), [["cell", [0, 0], [0, 1]], ["cell", [0, 1], [1, 1]]]);
  assert.deepEqual(new Set(hintFrom("Cb3.Cb2", walls, false).map(({ action }) => action)).size, 2);
});

test("a wall that is legal only after the step is drawn", () => {
  assert.deepEqual(drawn("Ca2.>a1"), [["cell", [0, 0], [1, 0]], ["right", null, [2, 0]]]);
});

test("on a turned board, hints are turned too", () => {
  assert.deepEqual(drawn("Cb2", true), [["cell", [2, 2], [1, 1]]]);
  assert.deepEqual(drawn("Ca2.>b2", true), [["cell", [2, 2], [1, 2]], ["right", null, [1, 0]]]);
});

test("a text that names no cell of the board is not drawn", () => {
  assert.deepEqual(drawn("Cz9"), []);
  assert.deepEqual(drawn("---"), []);
  assert.deepEqual(hintFrom("b1", board({ choices: [choice("b2", "cell", [1, 1])] }), false), []);
});
