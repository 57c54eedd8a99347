import assert from "node:assert/strict";
import { test } from "node:test";
import { canTurn, turned } from "../src/board/turned.ts";
import { board, choice, piece } from "./boards.ts";

const full = board({
  pieces: [piece("cat", 0, 1)],
  edges: [{ at: [0, 0], side: "right", owner: 0 }, { at: [1, 2], side: "top", owner: 1 }],
  marks: [{ at: [2, 0], kind: "last" }],
  choices: [choice("step", "cell", [1, 1], [0, 1]), choice("wall", "right", [2, 1]), { ...choice("end", "button"), at: null }],
});

test("turning moves cells to the opposite corner and sides to the same gap", () => {
  const other = turned(full);
  assert.deepEqual(other.pieces[0]?.at, [2, 1]);
  assert.deepEqual(other.edges.map((edge) => [edge.side, ...edge.at]), [["right", 2, 1], ["top", 2, 0]]);
  assert.deepEqual(other.choices.map((one) => one.at), [[1, 1], [0, 0], null]);
  assert.deepEqual(other.choices[0]?.source, [2, 1]);
  assert.deepEqual(other.column_labels, ["c", "b", "a"]);
});

test("the edges of the board swap sides", () => {
  const edge = (side: "right" | "top", row: number, column: number) => ({ at: [row, column] as [number, number], side, owner: null });
  const boxed = board({ edges: [edge("right", 1, -1), edge("right", 0, 2), edge("top", 0, 0), edge("top", 3, 1)] });
  const other = turned(boxed);
  assert.deepEqual(other.edges.map((one) => [one.side, ...one.at]), [["right", 1, 2], ["right", 2, -1], ["top", 3, 2], ["top", 0, 1]]);
  assert.deepEqual(turned(other), boxed);
});

test("turning twice gives the original board", () => {
  assert.deepEqual(turned(turned(full)), full);
});

test("an upright rack cannot be turned", () => {
  assert.equal(canTurn(full), true);
  assert.equal(canTurn(board({ style: "drop" })), false);
});
