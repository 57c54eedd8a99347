import assert from "node:assert/strict";
import { test } from "node:test";
import type { MoveInfo } from "../src/api.gen.ts";
import { beforeLatestMove, clockWords, counted, declinedWords, endingLine, fairnessWords, howTo, loadedWords, nearestStop, pointsText, resultLine, rowsOf, seatWords, statusLine, stops, termsLine } from "../src/game/words.ts";
import { board, choice } from "./boards.ts";
import { state } from "./states.ts";

const move = (player: number, ply: number): MoveInfo => ({ text: `move to ${ply}`, player, ply, clocks: null });

test("the status shows the number of actions made in an unfinished move", () => {
  assert.equal(statusLine(state()), "Your turn.");
  assert.equal(statusLine(state({ staged: 1 })), "1 of 2 actions made.");
  assert.equal(statusLine(state({ toPlay: 1, thinking: true })), "Wally is thinking…");
  assert.equal(statusLine(state({ status: "waiting" })), "Waiting for an opponent.");
});

test("before a player's first move, the status explains how to enter it", () => {
  const walls = board({ choices: [choice("a1"), choice(">a1", "right")] });
  assert.match(howTo(state({ board: walls })), /gap between cells/);
  assert.match(howTo(state({ board: board({ choices: [choice("a1", "cell", [0, 0], [1, 1])] }) })), /Drag a piece/);
  assert.equal(howTo(state({ board: board({ style: "drop", choices: [choice("1")] }) })), "Click a column.");
  assert.equal(howTo(state({ board: walls, staged: 1 })), "");
  assert.equal(howTo(state({ board: walls, you: 1 })), "");
  assert.equal(howTo(state({ board: walls, moves: [move(0, 2)] })), "");
});

test("the result names the winner, or You for the player", () => {
  const over = { status: "over" as const };
  assert.equal(resultLine(state({ ...over, result: { winner: 0, reason: "capture" } })), "You won");
  assert.equal(resultLine(state({ ...over, result: { winner: 1, reason: "capture" } })), "Wally won");
  assert.equal(resultLine(state({ ...over, you: null, result: { winner: 0, reason: "capture" } })), "Guest won");
  assert.equal(resultLine(state({ ...over, result: { winner: null, reason: "board full" } })), "Draw");
});

test("players are told who may see evaluations of a running game", () => {
  const person = { name: "Ann", kind: "person" as const, connected: true };
  const people = state({ players: [person, person], mayEvaluate: false, mayHint: false });
  assert.deepEqual(fairnessWords(people), []);
  assert.deepEqual(fairnessWords({ ...people, withEvaluation: true, evaluating: 2 }), ["Both players see the evaluation bar", "2 spectators watch with evaluation"]);
  assert.deepEqual(fairnessWords({ ...people, evaluating: 1, status: "over" }), []);
  assert.deepEqual(fairnessWords(state()), ["Help is allowed against a bot"]);
  assert.deepEqual(fairnessWords(state({ rated: true })), ["Rated: no help during the game"]);
  assert.deepEqual(fairnessWords(state({ you: null })), []);
});

test("moves are grouped in rows of two, and a second move in succession begins a new row", () => {
  const rows = rowsOf([move(0, 2), move(1, 4), move(1, 5), move(0, 6)]);
  assert.deepEqual(
    rows.map((row) => row.cells.map((cell) => cell?.ply ?? null)),
    [[2, 4], [null, 5], [6, null]],
  );
});

test("navigation stops at the end of every move and at the latest action", () => {
  const now = state({ moves: [move(0, 2), move(1, 4), move(0, 5)], ply: 5 });
  assert.deepEqual(stops(now), [0, 2, 4, 5]);
  assert.equal(beforeLatestMove(now, 4), 2);
  assert.equal(beforeLatestMove(now, 5), 4);
  assert.equal(beforeLatestMove(now, 0), 0);
});

test("a ply in the middle of a move is replaced by the nearest stop", () => {
  const now = state({ moves: [move(0, 2), move(1, 4)], ply: 4 });
  assert.deepEqual([0, 0.9, 1.2, 2, 2.9, 3.1, 9].map((ply) => nearestStop(now, ply)), [0, 0, 2, 2, 2, 4, 4]);
});

test("a declined offer is described from the reader's side", () => {
  assert.equal(declinedWords(state({ you: 0 }), { type: "declined", what: "draw", by: 1 }), "Wally declines the draw.");
  assert.equal(declinedWords(state({ you: 1 }), { type: "declined", what: "takeback", by: 1 }), "You decline the takeback.");
});

test("clocks and half points have their usual notation", () => {
  const clock = { left: [1, 1] as [number, number], running: null, initial: 180_000, increment: 2000 };
  assert.equal(clockWords(state({ clock })), "3 min + 2 s per move");
  assert.equal(clockWords(state()), "no clock");
  assert.deepEqual([0, 0.5, 1, 2.5].map(pointsText), ["0", "½", "1", "2½"]);
});

test("one move is written in the singular", () => {
  assert.deepEqual([0, 1, 2].map((count) => counted(count, "move")), ["0 moves", "1 move", "2 moves"]);
});

test("aborted and unfinished games have no result, not a draw", () => {
  assert.equal(resultLine(state({ status: "over", result: { winner: null, reason: "aborted" } })), "No result");
  assert.equal(resultLine(state({ status: "over", result: { winner: null, reason: "unfinished" } })), "No result");
});

test("a finished game tells why it ended in the words of its players", () => {
  assert.equal(endingLine(state({ ending: "reached home", result: { winner: 0, reason: "capture" } })), "Reached home");
  assert.equal(endingLine(state({ ending: "", result: { winner: 0, reason: "resignation" } })), "Resignation");
});

test("a seat has the name of its side, unless the players choose their colours later", () => {
  const go = state({ sides: ["Black", "White"] });
  assert.equal(seatWords(go, 0), "Black, first");
  assert.equal(seatWords(go, 1), "White, second");
  assert.equal(seatWords({ ...go, board: board({ colours: [null, null] }) }, 0), "first");
  assert.equal(seatWords(state({ sides: ["First", "Second"] }), 1), "second");
});

test("the terms of a game are one line: rules and board by their values, the others by name", () => {
  const terms = [
    { name: "Rules", value: "Chinese" },
    { name: "Board", value: "9 × 9" },
    { name: "Komi", value: "7.5" },
  ];
  assert.equal(termsLine({ terms, rated: true, withEvaluation: false }, "no clock"), "Chinese, 9 × 9, komi 7.5, no clock, rated");
  assert.equal(termsLine({ terms: [], rated: false, withEvaluation: true }, ""), "with evaluation");
});

test("the bytes of an engine are told in megabytes", () => {
  assert.equal(loadedWords({ loaded: 3_140_000, total: 7_400_000 }), "3.1 of 7.4 MB");
  assert.equal(loadedWords({ loaded: 100_000, total: 0 }), "0.1 MB");
});
