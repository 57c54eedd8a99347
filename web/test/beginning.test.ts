import assert from "node:assert/strict";
import { test } from "node:test";
import type { Choices, SetupField } from "../src/api.gen.ts";
import { beginningFrom, fieldsOf } from "../src/landing/beginning.ts";

const field = (key: string, kind: SetupField["kind"], more: Partial<SetupField> = {}): SetupField => ({ key, title: key, kind, values: [], hint: "", most: 0, variants: [], ...more });
const never = () => assert.fail("nothing is drawn");

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

test("what is left as usual is not said", () => {
  assert.equal(beginningFrom(GO.setup, {}, never), null);
  assert.equal(beginningFrom(GO.setup, { handicap: "0", komi: " " }, never), null);
  assert.equal(beginningFrom(fieldsOf(null, ""), { handicap: "2" }, never), null);
});

test("numbers are numbers and texts are texts", () => {
  assert.deepEqual(beginningFrom(GO.setup, { handicap: "3", komi: "0.5", fen: "of another game" }, never), { handicap: 3, komi: 0.5 });
  assert.deepEqual(beginningFrom([field("fen", "text")], { fen: " 8/8/8 w - - " }, never), { fen: "8/8/8 w - -" });
});

test("a lot is drawn unless somebody chooses, and belongs to its variants", () => {
  const chess: Choices = { ...GO, setup: [field("number", "lot", { most: 959, variants: ["960"] }), field("fen", "text", { variants: ["standard"] })] };
  const fields = fieldsOf(chess, "960");
  assert.deepEqual(fields.map(({ key }) => key), ["number"]);
  assert.deepEqual(fieldsOf(chess, "standard").map(({ key }) => key), ["fen"]);
  assert.deepEqual(beginningFrom(fields, {}, () => 0.9999), { number: 959 });
  assert.deepEqual(beginningFrom(fields, { number: " 518 " }, never), { number: 518 });
});
