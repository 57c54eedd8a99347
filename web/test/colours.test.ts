import assert from "node:assert/strict";
import { test } from "node:test";
import { colourInHand, colourOf, playerWith } from "../src/board/colours.ts";
import { board } from "./boards.ts";

test("by default, players have the colours of their seats", () => {
  const here = board();
  assert.deepEqual([0, 1].map((player) => colourOf(here, player)), [0, 1]);
  assert.deepEqual([0, 1].map((player) => colourInHand(here, player)), [0, 1]);
  assert.deepEqual([0, 1].map((owner) => playerWith(here, owner)), [0, 1]);
});

test("after a swap of colours, players put stones of the opponent's original colour", () => {
  const here = board({ colours: [1, 0], next_colour: 1 });
  assert.deepEqual([0, 1].map((player) => colourOf(here, player)), [1, 0]);
  assert.deepEqual([0, 1].map((owner) => playerWith(here, owner)), [1, 0]);
  assert.equal(colourInHand(here, 0), 1);
});

test("before colours are chosen, players have none, but the next stone has one", () => {
  const here = board({ colours: [null, null], next_colour: 0 });
  assert.equal(colourOf(here, 1), null);
  assert.equal(playerWith(here, 0), null);
  assert.equal(colourInHand(here, 1), 0);
});
