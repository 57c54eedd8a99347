import assert from "node:assert/strict";
import { test } from "node:test";
import type { Choice, Piece } from "../src/api.gen.ts";
import { forbiddenAt, meaning, reachable, sourcesOf, targetAt, targetsOf } from "../src/board/targets.ts";
import { board as anyBoard, choice as choiceAt } from "./boards.ts";

const choice = (action: number, kind: string, at: [number, number], source: [number, number] | null = null) => choiceAt(`action ${action}`, kind, at, source, action);
const board = (choices: Choice[], style = "squares", pieces: Piece[] = []) => anyBoard({ style, pieces, choices });

test("a click near the centre of a cell means the cell, farther out the wall beside it", () => {
  const here = board([choice(0, "cell", [1, 1]), choice(1, "right", [1, 1]), choice(2, "top", [1, 1])]);
  const targets = targetsOf(here);
  const at = (x: number, y: number) => targetAt(here, targets, { x, y })?.choices[0]?.action;
  assert.equal(at(150, 150), 0);
  assert.equal(at(190, 150), 1);
  assert.equal(at(210, 140), 1);
  assert.equal(at(150, 105), 2);
});

test("walls at the board's edges can be clicked from both sides", () => {
  const here = board([choice(1, "right", [1, -1]), choice(2, "top", [3, 0]), choice(3, "right", [0, 2])]);
  const at = (x: number, y: number) => targetAt(here, targetsOf(here), { x, y })?.choices[0]?.action;
  assert.equal(at(12, 150), 1);
  assert.equal(at(-8, 150), 1);
  assert.equal(at(50, 288), 2);
  assert.equal(at(50, 306), 2);
  assert.equal(at(296, 50), 3);
});

test("on a cell that is no target, clicks reach farther to the walls around it", () => {
  const here = board([choice(1, "right", [1, 1]), choice(2, "top", [1, 1])]);
  const targets = targetsOf(here);
  assert.equal(targetAt(here, targets, { x: 170, y: 150 })?.choices[0]?.action, 1);
  assert.equal(targetAt(here, targets, { x: 150, y: 130 })?.choices[0]?.action, 2);
  assert.equal(targetAt(here, targets, { x: 150, y: 150 }), null);
});

test("in a rack a column is one target, on the lowest empty hole", () => {
  const drops = [0, 1, 2].map((row) => choice(7, "cell", [row, 1]));
  const here = board(drops, "drop", [{ at: [2, 1], shape: "disc", owner: 0 }]);
  const targets = targetsOf(here);
  assert.equal(targets.length, 1);
  assert.deepEqual(targets[0]?.at, [1, 1]);
  assert.equal(targetAt(here, targets, { x: 150, y: -40 })?.choices[0]?.action, 7);
  assert.equal(targetAt(here, targets, { x: 50, y: 50 }), null);
});

test("a target that only one piece can reach is played at once only where one click moves", () => {
  const [target] = targetsOf(board([choice(4, "cell", [0, 1], [0, 0])]));
  assert.ok(target);
  assert.deepEqual(meaning(target, null, null, true), { kind: "act", action: 4 });
  assert.deepEqual(meaning(target, null, null, false), { kind: "which-piece" });
  assert.deepEqual(meaning(target, null, [0, 0], false), { kind: "act", action: 4 });
  assert.deepEqual(meaning(target, null, [2, 2], false), { kind: "nothing" });
});

test("a target without a piece is played at once", () => {
  const [stone, wall] = targetsOf(board([choice(4, "cell", [0, 1]), choice(5, "right", [1, 1])]));
  for (const [target, action] of [[stone, 4], [wall, 5]] as const) assert.deepEqual(meaning(target ?? null, null, null, false), { kind: "act", action });
});

test("a target that two pieces can reach requires selecting a piece", () => {
  const here = board([choice(4, "cell", [0, 1], [0, 0]), choice(5, "cell", [0, 1], [0, 2])]);
  const [target] = targetsOf(here);
  assert.ok(target);
  assert.deepEqual(meaning(target, null, null, true), { kind: "which-piece" });
  assert.deepEqual(meaning(target, null, [0, 2], true), { kind: "act", action: 5 });
  assert.deepEqual(sourcesOf(here), [[0, 0], [0, 2]]);
});

test("a wall can be built while a piece is selected, but a piece cannot be dragged onto a wall", () => {
  const here = board([choice(4, "cell", [0, 1], [0, 0]), choice(9, "right", [1, 1])]);
  const wall = targetsOf(here)[1];
  assert.ok(wall);
  assert.deepEqual(meaning(wall, null, [0, 0], true), { kind: "act", action: 9 });
  assert.deepEqual(reachable(targetsOf(here), [0, 0]).map((target) => target.key), ["cell-0-1"]);
});

test("two actions from one piece to one cell open a question", () => {
  const [target] = targetsOf(board([choice(4, "cell", [0, 1], [0, 0]), choice(5, "cell", [0, 1], [0, 0])]));
  assert.ok(target);
  const meant = meaning(target, null, [0, 0], true);
  assert.equal(meant.kind, "ask");
  assert.deepEqual(meant.kind === "ask" && meant.choices.map((one) => one.action), [4, 5]);
});

test("a click selects a piece and a second click deselects it", () => {
  assert.deepEqual(meaning(null, [0, 0], null, true), { kind: "select", source: [0, 0] });
  assert.deepEqual(meaning(null, [0, 0], [0, 0], true), { kind: "nothing" });
});

test("forbidden sides are distinguished from sides that have a wall or lie outside the board", () => {
  const here = board([choice(1, "right", [1, 1]), choice(2, "top", [2, 0])]);
  const at = (x: number, y: number) => forbiddenAt(here, targetsOf(here), { x, y });
  assert.equal(at(200, 150), null); // the legal wall
  assert.deepEqual(at(102, 150), { at: [1, 0], side: "right", owner: null });
  assert.deepEqual(at(150, 98), { at: [1, 1], side: "top", owner: null });
  assert.equal(at(150, 150), null); // the middle of a cell
  assert.equal(at(300, 150), null); // the rim
  const walled = { ...here, edges: [{ at: [1, 0] as [number, number], side: "right", owner: 1 }] };
  assert.equal(forbiddenAt(walled, targetsOf(walled), { x: 102, y: 150 }), null);
  assert.equal(forbiddenAt(board([choice(3, "cell", [1, 1])]), [], { x: 102, y: 150 }), null); // a game without walls
});
