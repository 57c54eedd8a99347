// Distinguishing positions from whole games in pasted text.
import assert from "node:assert/strict";
import { test } from "node:test";
import { isGame } from "../src/study/positions.ts";

test("texts that begin with tags, an SGF bracket, a comment or a move of chess are games", () => {
  for (const text of ['[Event "?"]\n\n1. e4 *', '\uFEFF\n[Game "connect4"]', "(;GM[1]SZ[9];B[ee])", " (\n;FF[4])", "1. e4 e5", "1.e4", "1 e4", "e4 e5", "♘f3", "Nf3 d5", "O-O", "1... e5", "{so} 1. e4", "(SZ[9];B[aa])", "[White “A”]", 'from a friend:\n[Event "x"]']) {
    assert.equal(isGame(text), true, text);
  }
});

test("positions and other texts are not games", () => {
  for (const text of ["", "8/8/8/3k4/8/8/8/4K2R b K - 0 1", "1k6/8/8/8/8/8/8/K7 w - - 0 1", '{"size":9}', "no position", "[", "b7/8/8/3k4/8/8/8/4K3 w - - 0 1", "1b6/8/8/3k4/8/8/8/4K3 w - - 0 1", "random:4", "518", "{}"]) {
    assert.equal(isGame(text), false, text);
  }
});
