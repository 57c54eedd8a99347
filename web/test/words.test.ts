import assert from "node:assert/strict";
import { test } from "node:test";
import type { MoveInfo } from "../src/api.gen.ts";
import { beforeLatestMove, clockWords, declinedWords, evaluationWords, howTo, movesWords, nearestStop, pointsText, resultLine, rowsOf, signed, statusLine, stops } from "../src/game/words.ts";
import { board, choice } from "./boards.ts";
import { state } from "./states.ts";

const move = (player: number, ply: number): MoveInfo => ({ text: `move to ${ply}`, player, ply, clocks: null });

test("the status tells how much of a move of two actions is made", () => {
  assert.equal(statusLine(state()), "Your turn.");
  assert.equal(statusLine(state({ staged: 1 })), "1 of 2 actions made.");
  assert.equal(statusLine(state({ toPlay: 1, thinking: true })), "Wally is thinking…");
  assert.equal(statusLine(state({ status: "waiting" })), "Waiting for an opponent.");
});

test("whoever has not moved yet is told how, by what can be clicked", () => {
  const walls = board({ choices: [choice("a1"), choice(">a1", "right")] });
  assert.match(howTo(state({ board: walls })), /gap between cells/);
  assert.match(howTo(state({ board: board({ choices: [choice("a1", "cell", [0, 0], [1, 1])] }) })), /Drag a piece/);
  assert.equal(howTo(state({ board: board({ style: "drop", choices: [choice("1")] }) })), "Click a column.");
  assert.equal(howTo(state({ board: walls, staged: 1 })), "");
  assert.equal(howTo(state({ board: walls, you: 1 })), "");
  assert.equal(howTo(state({ board: walls, moves: [move(0, 2)] })), "");
});

test("the result names the winner as the reader knows them", () => {
  const over = { status: "over" as const };
  assert.equal(resultLine(state({ ...over, result: { winner: 0, reason: "capture" } })), "You won");
  assert.equal(resultLine(state({ ...over, result: { winner: 1, reason: "capture" } })), "Wally won");
  assert.equal(resultLine(state({ ...over, you: null, result: { winner: 0, reason: "capture" } })), "Guest won");
  assert.equal(resultLine(state({ ...over, result: { winner: null, reason: "board full" } })), "A draw");
});

test("an evaluation is seen by player 0 and told from the reader's side", () => {
  assert.equal(signed(0.3449), "+0.34");
  assert.equal(signed(-0.001), "+0.00");
  assert.equal(evaluationWords(["Guest", "Wally"], 1, -0.5), "Evaluation −0.50: you are ahead");
  assert.equal(evaluationWords(["Guest", "Wally"], 0, -0.9), "Evaluation −0.90: Wally is winning");
});

test("moves stand in rows of two, and a player who moves twice begins a new row", () => {
  const rows = rowsOf([move(0, 2), move(1, 4), move(1, 5), move(0, 6)]);
  assert.deepEqual(
    rows.map((row) => row.cells.map((cell) => cell?.ply ?? null)),
    [[2, 4], [null, 5], [6, null]],
  );
});

test("a reader stops at the end of every move and at the latest action", () => {
  const now = state({ moves: [move(0, 2), move(1, 4), move(0, 5)], ply: 5 });
  assert.deepEqual(stops(now), [0, 2, 4, 5]);
  assert.equal(beforeLatestMove(now, 4), 2);
  assert.equal(beforeLatestMove(now, 5), 4);
  assert.equal(beforeLatestMove(now, 0), 0);
});

test("a ply in the middle of a move leads to the nearer of its ends", () => {
  const now = state({ moves: [move(0, 2), move(1, 4)], ply: 4 });
  assert.deepEqual([0, 0.9, 1.2, 2, 2.9, 3.1, 9].map((ply) => nearestStop(now, ply)), [0, 0, 2, 2, 2, 4, 4]);
});

test("what was declined is told from the reader's side", () => {
  assert.equal(declinedWords(state({ you: 0 }), { type: "declined", what: "draw", by: 1 }), "Wally declines the draw.");
  assert.equal(declinedWords(state({ you: 1 }), { type: "declined", what: "takeback", by: 1 }), "You decline to take back.");
});

test("clocks and points are written as people write them", () => {
  const clock = { left: [1, 1] as [number, number], running: null, initial: 180_000, increment: 2000 };
  assert.equal(clockWords(state({ clock })), "3 min + 2 s a move");
  assert.equal(clockWords(state()), "no clock");
  assert.deepEqual([0, 0.5, 1, 2.5].map(pointsText), ["0", "½", "1", "2½"]);
});

test("one move is not several", () => {
  assert.deepEqual([0, 1, 2].map(movesWords), ["0 moves", "1 move", "2 moves"]);
});

test("a game that was called off is no draw", () => {
  assert.equal(resultLine(state({ status: "over", result: { winner: null, reason: "aborted" } })), "Called off");
  assert.equal(resultLine(state({ status: "over", result: { winner: null, reason: "unfinished" } })), "No result");
});
