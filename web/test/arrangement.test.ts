// The tools of the position editor.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Kit, Piece } from "../src/api.gen.ts";
import { actsOf, after, choicesOf, cleared } from "../src/study/arrangement.ts";
import type { Placed, Tool } from "../src/study/arrangement.ts";
import { board } from "./boards.ts";

const king: Piece = { at: [0, 0], shape: "king", owner: 0 };
const pawn: Piece = { at: [1, 1], shape: "pawn", owner: 0 };
const kinds = [
  { shape: "king", owner: 0, name: "King", single: true },
  { shape: "pawn", owner: 0, name: "Pawn", single: false },
];
const kit: Kit = { board: board(), kinds, edges: ["right", "top"], toPlay: 0, movers: [], switches: [], on: [] };
const placed: Placed = { pieces: [king, pawn], edges: [] };
const put = (index: number): Tool => ({ does: "put", kind: kinds[index]! });
const cell = (row: number, column: number) => ({ kind: "cell", at: [row, column], from: null }) as const;

test("a click puts a piece on a cell, and a second click removes it", () => {
  const one = after(kit, placed, put(1), cell(2, 2));
  assert.deepEqual(one.pieces, [king, pawn, { ...pawn, at: [2, 2] }]);
  assert.deepEqual(after(kit, one, put(1), cell(2, 2)).pieces, placed.pieces);
});

test("a unique piece moves to the clicked cell and is never covered or removed", () => {
  assert.deepEqual(after(kit, placed, put(0), cell(2, 2)).pieces, [{ ...king, at: [2, 2] }, pawn]);
  assert.deepEqual(after(kit, placed, put(0), cell(1, 1)).pieces, [{ ...king, at: [1, 1] }]);
  assert.deepEqual(after(kit, placed, put(1), cell(0, 0)).pieces, placed.pieces);
  assert.deepEqual(after(kit, placed, { does: "remove" }, cell(0, 0)).pieces, placed.pieces);
});

test("a moved piece replaces the piece on its new cell, or swaps with a piece that must stay on the board", () => {
  const move: Tool = { does: "move" };
  assert.deepEqual(after(kit, placed, move, { kind: "cell", at: [1, 1], from: [0, 0] }).pieces, [{ ...king, at: [1, 1] }]);
  assert.deepEqual(after(kit, placed, move, { kind: "cell", at: [0, 0], from: [1, 1] }).pieces, [
    { ...king, at: [1, 1] },
    { ...pawn, at: [0, 0] },
  ]);
});

test("walls are built and removed only between cells", () => {
  const wall: Tool = { does: "wall" };
  const sides = actsOf(kit, placed, wall);
  assert.equal(sides.length, 12);
  const built = after(kit, placed, wall, { kind: "right", at: [0, 0], from: null });
  assert.deepEqual(built.edges, [{ at: [0, 0], side: "right", owner: null }]);
  assert.deepEqual(after(kit, built, wall, { kind: "right", at: [0, 0], from: null }).edges, []);
  assert.deepEqual(
    actsOf(kit, built, { does: "remove" }).map(({ kind, at }) => [kind, ...at]),
    [
      ["cell", 1, 1],
      ["right", 0, 0],
    ],
  );
});

test("clearing keeps pieces that must stay on the board; acts become choices numbered in order", () => {
  assert.deepEqual(cleared(kit, { ...placed, edges: [{ at: [0, 0], side: "right", owner: null }] }), { pieces: [king], edges: [] });
  const choices = choicesOf(actsOf(kit, placed, { does: "move" }));
  assert.equal(choices.length, 16);
  assert.deepEqual(choices.map((choice) => choice.action), [...choices.keys()]);
});
