import assert from "node:assert/strict";
import { test } from "node:test";
import type { Me, OwnGame } from "../src/api.gen.ts";
import { withRecent } from "../src/api.ts";
import { inOrder, turnWords } from "../src/own-games.ts";
import { sitsThere } from "../src/own-seat.ts";
import { state } from "./states.ts";

function game(id: string, changes: Partial<OwnGame> = {}): OwnGame {
  const board = { game: "go", variant: "standard", boardWidth: 9, boardHeight: 9, rated: false };
  return { id, ...board, status: "playing", opponent: "Bo", you: 1, toPlay: 1, numMoves: 3, ...changes };
}

const waiting = game("waits", { status: "waiting", opponent: null, toPlay: null });
const theirs = game("theirs", { toPlay: 0 });
const unknown = game("unknown", { toPlay: null });

test("own games are sorted: own turn first, open seats last", () => {
  const ids = inOrder([waiting, theirs, game("a"), unknown, game("b")]).map(({ id }) => id);
  assert.deepEqual(ids, ["a", "b", "theirs", "unknown", "waits"]);
});

test("the list shows whose turn it is, or a neutral text if unknown", () => {
  assert.deepEqual([game("a"), theirs, unknown, waiting].map(turnWords), ["Your turn", "Their turn", "Continue", "Open seat"]);
});

test("the latest seats are stored without duplicates and up to a limit", () => {
  assert.equal(withRecent(["b", "a"], "a"), "a b");
  const many = Array.from({ length: 80 }, (_, index) => `g${index}`);
  assert.deepEqual(withRecent(many, "new").split(" "), ["new", ...many.slice(0, 49)]);
});

test("an account can recover its seat in a running game that it only watches", () => {
  const ann: Me = { name: "Ann", account: true, settings: {}, ratings: [] };
  const players = [{ name: "Ann", kind: "person" as const, connected: false }, { name: "Wally", kind: "bot" as const, connected: true }];
  const watched = state({ you: null, players: [players[0]!, players[1]!] });
  assert.ok(sitsThere(ann, watched));
  assert.ok(!sitsThere({ ...ann, account: false }, watched));
  assert.ok(!sitsThere({ ...ann, name: "Wally" }, watched));
  assert.ok(!sitsThere(ann, { ...watched, you: 0 }));
  assert.ok(!sitsThere(ann, { ...watched, status: "over" }));
  assert.ok(!sitsThere(ann, null));
});
