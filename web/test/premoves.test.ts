import assert from "node:assert/strict";
import { test } from "node:test";
import type { Choice } from "../src/api.gen.ts";
import type { Premove } from "../src/board/premoves.ts";
import { NO_HABITS, choicesOf, habitsFrom, premoveChoices, withPremoves } from "../src/board/premoves.ts";
import { board, choice, piece } from "./boards.ts";

test("possible premoves are derived from earlier legal choices", () => {
  const stones = habitsFrom(NO_HABITS, board({ choices: [choice("b2", "cell", [1, 1])] }));
  assert.equal(premoveChoices(board(), stones, 0).length, 9);
  assert.equal(premoveChoices(board({ style: "drop" }), stones, 0).length, 3);
  const walls = habitsFrom(NO_HABITS, board({ choices: [choice(">a3", "right"), choice("^a1", "top", [2, 0])] }));
  assert.equal(premoveChoices(board(), walls, 0).length, 12);
  const sides = habitsFrom(walls, board({ choices: [choice("right of c2", "right", [1, 2]), choice("top of b3", "top", [0, 1])] }));
  assert.equal(premoveChoices(board(), sides, 0).length, 18, "one choice at an edge allows all sides along it");
  const pieces = habitsFrom(NO_HABITS, board({ choices: [choice("Cb3", "cell", [0, 1], [0, 0])] }));
  const own = board({ pieces: [piece("cat", 0, 0), piece("cat", 2, 2, 1)] });
  assert.equal(premoveChoices(own, pieces, 0).length, 8);
  assert.deepEqual(premoveChoices(own, NO_HABITS, 0), []);
});

test("after a swap of colours, a player premoves pieces of the new colour", () => {
  const pieces = habitsFrom(NO_HABITS, board({ choices: [choice("Cb3", "cell", [0, 1], [0, 0])] }));
  const here = board({ colours: [1, 0], pieces: [piece("cat", 0, 0), piece("cat", 2, 2, 1)] });
  assert.ok(premoveChoices(here, pieces, 0).every((one) => String(one.source) === "2,2"));
  const step = { kind: "cell", at: [2, 1] as const, source: [2, 2] as const };
  const wall = { kind: "right", at: [0, 0] as const, source: null };
  assert.deepEqual(withPremoves(here, [step, wall], 0).pieces, [piece("cat", 0, 0), piece("cat", 2, 1, 1)]);
  assert.deepEqual(withPremoves(here, [step, wall], 0).edges, [{ at: [0, 0], side: "right", owner: 1 }]);
});

test("a wall cannot be premoved onto an existing wall", () => {
  const walls = habitsFrom(NO_HABITS, board({ choices: [choice(">a3", "right")] }));
  const here = board({ edges: [{ at: [0, 0], side: "right", owner: 1 }] });
  assert.ok(!premoveChoices(here, walls, 0).some((one) => String(one.at) === "0,0"));
});

test("a premove matches the legal choices of its cells, which may be several", () => {
  const premove = { kind: "cell", at: [0, 1] as const, source: [0, 0] as const };
  const meant = (one: Premove, choices: Choice[]) => choicesOf(one, choices).map(({ action }) => action);
  const step = choice("b3", "cell", [0, 1], [0, 0], 7);
  assert.deepEqual(meant(premove, [step, choice("other", "cell", [2, 2])]), [7]);
  assert.deepEqual(meant(premove, [choice("b3", "cell", [0, 1], [1, 1])]), []);
  assert.deepEqual(meant(premove, [step, { ...step, action: 8, label: "queen" }]), [7, 8]);
  assert.deepEqual(meant({ ...premove, source: null }, [{ ...step, source: null }]), [7]);
});
