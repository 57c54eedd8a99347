import assert from "node:assert/strict";
import { test } from "node:test";
import { hintFrom } from "../src/game/hint.ts";
import { board, choice } from "./boards.ts";

// the cat stands on a3
const walls = board({
  choices: [choice("Cb3", "cell", [0, 1], [0, 0], 1), choice("Ca2", "cell", [1, 0], [0, 0], 2), choice(">b2", "right", [1, 1], null, 3)],
});
const drawn = (move: string, flip = false) => hintFrom(move, walls, flip).map(({ kind, source, at }) => [kind, source, at]);

test("a move that is one choice is that choice", () => {
  assert.deepEqual(hintFrom("Ca2", walls, false), [walls.choices[1]]);
});

test("a pawn and a wall are two choices", () => {
  assert.deepEqual(drawn("Ca2.>b2"), [["cell", [0, 0], [1, 0]], ["right", null, [1, 1]]]);
});

test("two steps of a pawn in one term lead from where it stands to where it goes", () => {
  assert.deepEqual(drawn("Cb2"), [["cell", [0, 0], [1, 1]]]);
});

test("two steps of a pawn in two terms follow each other", () => {
  assert.deepEqual(drawn("Cb3.Cb2"), [["cell", [0, 0], [0, 1]], ["cell", [0, 1], [1, 1]]]);
  assert.deepEqual(new Set(hintFrom("Cb3.Cb2", walls, false).map(({ action }) => action)).size, 2);
});

test("a wall that is possible only after the step is drawn, too", () => {
  assert.deepEqual(drawn("Ca2.>a1"), [["cell", [0, 0], [1, 0]], ["right", null, [2, 0]]]);
});

test("from the other side, a hint lies where the turned board has its cells", () => {
  assert.deepEqual(drawn("Cb2", true), [["cell", [2, 2], [1, 1]]]);
  assert.deepEqual(drawn("Ca2.>b2", true), [["cell", [2, 2], [1, 2]], ["right", null, [1, 0]]]);
});

test("what names no cell of the board is not drawn", () => {
  assert.deepEqual(drawn("Cz9"), []);
  assert.deepEqual(drawn("---"), []);
  assert.deepEqual(hintFrom("b1", board({ choices: [choice("b2", "cell", [1, 1])] }), false), []);
});
