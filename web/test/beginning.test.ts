import assert from "node:assert/strict";
import { test } from "node:test";
import type { Choices } from "../src/api.gen.ts";
import { beginningFrom } from "../src/landing/beginning.ts";

const GO: Choices = {
  game: "go",
  variants: [],
  sizes: [],
  setup: [
    { key: "handicap", title: "Handicap", kind: "choice", values: ["0", "2", "3"], hint: "" },
    { key: "komi", title: "Komi", kind: "number", values: [], hint: "" },
  ],
  switch: null,
};

test("what is left as usual is not said", () => {
  assert.equal(beginningFrom(GO, {}), null);
  assert.equal(beginningFrom(GO, { handicap: "0", komi: " " }), null);
  assert.equal(beginningFrom(null, { handicap: "2" }), null);
});

test("numbers are numbers and texts are texts", () => {
  assert.deepEqual(beginningFrom(GO, { handicap: "3", komi: "0.5", fen: "of another game" }), { handicap: 3, komi: 0.5 });
  const chess: Choices = { ...GO, setup: [{ key: "fen", title: "Position", kind: "text", values: [], hint: "" }] };
  assert.deepEqual(beginningFrom(chess, { fen: " 8/8/8 w - - " }), { fen: "8/8/8 w - -" });
});
