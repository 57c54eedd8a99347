import assert from "node:assert/strict";
import { test } from "node:test";
import type { Choices, SetupField } from "../src/api.gen.ts";
import { beginningFrom, fieldsOf } from "../src/landing/beginning.ts";

const field = (key: string, kind: SetupField["kind"], more: Partial<SetupField> = {}): SetupField => ({ key, title: key, kind, values: [], hint: "", most: 0, variants: [], ...more });

const GO: Choices = {
  game: "go",
  variants: [],
  sizes: [],
  setup: [
    field("handicap", "choice", { values: ["0", "2", "3"] }),
    field("komi", "number"),
  ],
  switch: null,
};

test("fields with default values are left out of the start position", () => {
  assert.equal(beginningFrom(GO.setup, {}), null);
  assert.equal(beginningFrom(GO.setup, { handicap: "0", komi: " " }), null);
  assert.equal(beginningFrom(fieldsOf(null, ""), { handicap: "2" }), null);
});

test("number fields become numbers and text fields stay text", () => {
  assert.deepEqual(beginningFrom(GO.setup, { handicap: "3", komi: "0.5", fen: "of another game" }), { handicap: 3, komi: 0.5 });
  assert.deepEqual(beginningFrom([field("fen", "text")], { fen: " 8/8/8 w - - " }), { fen: "8/8/8 w - -" });
});

test("an empty number of a random start position is drawn by the server; fields depend on the variant", () => {
  const chess: Choices = { ...GO, setup: [field("number", "lot", { most: 959, variants: ["960"] }), field("fen", "text", { variants: ["standard"] })] };
  const fields = fieldsOf(chess, "960");
  assert.deepEqual(fields.map(({ key }) => key), ["number"]);
  assert.deepEqual(fieldsOf(chess, "standard").map(({ key }) => key), ["fen"]);
  assert.equal(beginningFrom(fields, {}), null);
  assert.deepEqual(beginningFrom(fields, { number: " 518 " }), { number: 518 });
});
