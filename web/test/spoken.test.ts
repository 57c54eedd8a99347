import assert from "node:assert/strict";
import { test } from "node:test";
import { endSound, sentence, soundOf, spoken, spokenTime } from "../src/game/spoken.ts";
import { unconfirmed } from "../src/game/use-game.ts";
import { statusLine } from "../src/game/words.ts";
import { board, choice, piece } from "./boards.ts";
import { state } from "./states.ts";

const change = { words: ["cat to b4", "wall above c3"], moved: 1, walls: 1, taken: 0 };

test("a move is announced with its player, and whose turn or which result follows", () => {
  const moves = [{ text: "Cb4.^c3", player: 1, ply: 2, clocks: null }];
  assert.equal(sentence(state({ moves, you: 0, toPlay: 0 }), change), "Wally: cat to b4, wall above c3. Your turn.");
  assert.equal(sentence(state({ moves, you: 1, toPlay: 0 }), change), "You: cat to b4, wall above c3.");
  const result = { winner: 1, reason: "capture" };
  assert.equal(sentence(state({ moves, result, status: "over" }), change), "Wally: cat to b4, wall above c3. Wally won.");
  assert.equal(sentence(state({ moves }), { ...change, words: [] }), "Wally: Cb4.^c3. Your turn.");
});

test("walls, captures, steps and results have different sounds", () => {
  assert.deepEqual([soundOf(change), soundOf({ ...change, taken: 1 }), soundOf({ ...change, walls: 0 })], ["wall", "capture", "step"]);
  const end = (winner: number | null, you: number | null) => endSound(state({ you, result: { winner, reason: "" } }));
  assert.deepEqual([end(0, 0), end(0, 1), end(null, 0), end(1, null)], ["win", "loss", "draw", "win"]);
});

test("an offer is announced once to players, and again when it is repeated", () => {
  const quiet = state({ you: 0 });
  const draw = state({ you: 0, offers: [{ what: "draw", by: 1 }] });
  assert.equal(spoken(quiet, draw), "Wally offers a draw.");
  assert.equal(spoken(draw, { ...draw, spectators: 1 }), "");
  assert.equal(spoken(draw, quiet), "");
  assert.equal(spoken(null, draw), "Wally offers a draw.", "also when the page is opened during the offer");
  const both = { ...draw, offers: [...draw.offers, { what: "takeback" as const, by: 0 }] };
  assert.equal(spoken(draw, both), "You have asked to take back a move.");
  assert.equal(spoken({ ...quiet, you: null }, { ...draw, you: null }), "", "not to spectators");
});

test("the end of a game and then the offer of a rematch are announced", () => {
  const over = state({ status: "over", result: { winner: null, reason: "agreement" } });
  assert.equal(spoken(state(), over), "Draw.");
  assert.equal(spoken(over, { ...over, offers: [{ what: "rematch", by: 1 }] }), "Wally offers a rematch.");
});

test("the opponent's leaving is announced once, and once more when the game can be claimed", () => {
  const left = (claimIn: number | null) => state({ claimIn });
  assert.equal(spoken(left(null), left(60_000)), "Your opponent has left. If they do not return, you can soon claim the game.");
  assert.equal(spoken(left(60_000), left(20_000)), "");
  assert.equal(spoken(left(20_000), left(0)), "Your opponent has left. You can claim a win or a draw.");
  assert.equal(spoken(left(0), left(0)), "");
  assert.equal(spoken(left(0), left(null)), "");
});

test("a bot that does not answer is announced once, and again when its connection is lost", () => {
  const silent = (forfeitsIn: number, gone = false) => state({ toPlay: 1, stalled: { side: 1, gone, forfeitsIn } });
  const tail = "If nothing changes within a minute, it loses the game.";
  assert.equal(spoken(state(), silent(60_000)), `Wally does not answer; the site asks it again. ${tail}`);
  assert.equal(spoken(silent(60_000), silent(30_000)), "");
  assert.equal(spoken(silent(60_000), silent(30_000, true)), `Wally lost its connection. ${tail}`);
  assert.equal(spoken(null, state({ ...silent(60_000), you: null })), "");
  assert.equal(statusLine(silent(60_000)), "Wally does not answer.");
});

test("a move and a simultaneous offer are announced together", () => {
  const moves = [{ text: "Ca2", player: 1, ply: 1, clocks: null }];
  const after = state({ moves, ply: 1, board: board({ pieces: [piece("cat", 1, 0, 1)] }), offers: [{ what: "draw", by: 1 }] });
  assert.equal(spoken(state({ toPlay: 1 }), after), "Wally: cat on a2. Your turn. Wally offers a draw.");
  assert.equal(spoken(after, state()), "Taken back.");
});

test("spoken times use the singular for one minute and one second", () => {
  assert.deepEqual([125_000, 61_000, 60_000, 9_500, 1_000].map(spokenTime), ["2 minutes 5 seconds", "1 minute 1 second", "1 minute 0 seconds", "10 seconds", "1 second"]);
});

test("after a lost connection, actions are resent only if the site has not received them", () => {
  const here = board({ choices: [choice("Ca4", "cell", [1, 0], null, 5)] });
  const sent = [5, 6].map((action, index) => ({ type: "act" as const, action, ply: 3 + index }));
  assert.deepEqual(unconfirmed(sent, state({ ply: 3, board: here }), true), sent);
  assert.deepEqual(unconfirmed(sent, state({ ply: 4, board: here }), true), []);
  assert.deepEqual(unconfirmed(sent, state({ ply: 3, board: board() }), true), []);
  assert.deepEqual(unconfirmed(sent, state({ ply: 3, board: here, status: "over" }), true), []);
});

test("the site's states confirm actions one by one, and a takeback drops them", () => {
  const sent = [5, 6].map((action, index) => ({ type: "act" as const, action, ply: 3 + index }));
  const after = (ply: number) => unconfirmed(sent, state({ ply }), false);
  assert.deepEqual([2, 3, 4, 5].map(after), [[], sent, sent.slice(1), []]);
  assert.deepEqual(unconfirmed(sent, state({ ply: 4, status: "over" }), false), []);
});
