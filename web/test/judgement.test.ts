import assert from "node:assert/strict";
import { test } from "node:test";
import { judge, tally } from "../src/game/judgement.ts";

const move = (ply: number, player: number) => ({ text: String(ply), player, ply, clocks: null });

test("a move is judged by its player's loss of evaluation", () => {
  const moves = [move(1, 0), move(2, 1), move(3, 0), move(4, 1)];
  const found = judge(moves, [0, 0.1, 0.3, -0.1, 0.5]);
  assert.deepEqual([...found].map(([ply, one]) => [ply, one.kind, one.sign]), [
    [2, "inaccuracy", "?!"],
    [3, "mistake", "?"],
    [4, "blunder", "??"],
  ]);
  assert.deepEqual(tally(moves, found), { inaccuracy: [0, 1], mistake: [1, 0], blunder: [0, 1] });
});

test("a move of two actions is judged from the position before the first", () => {
  assert.deepEqual([...judge([move(2, 0), move(4, 1)], [0.2, 0.9, -0.5, null, -0.4]).keys()], [2]);
});

test("a move without an evaluation before or after it is not judged", () => {
  assert.equal(judge([move(1, 0), move(2, 1)], [0.5, null, 1]).size, 0);
  assert.equal(judge([move(1, 0)], [0.5]).size, 0);
});
