// What is a position as text, and what a whole game.
import assert from "node:assert/strict";
import { test } from "node:test";
import { isGame } from "../src/study/positions.ts";

test("tags, brackets of SGF and the number of the first move begin a game", () => {
  for (const text of ['[Event "?"]\n\n1. e4 *', '\uFEFF\n[Game "connect4"]', "(;GM[1]SZ[9];B[ee])", " (\n;FF[4])", "1. e4 e5", "1.e4"]) {
    assert.equal(isGame(text), true, text);
  }
});

test("a position is no game", () => {
  for (const text of ["", "8/8/8/3k4/8/8/8/4K2R b K - 0 1", "1k6/8/8/8/8/8/8/K7 w - - 0 1", '{"size":9}', "no position", "["]) {
    assert.equal(isGame(text), false, text);
  }
});
