import assert from "node:assert/strict";
import { test } from "node:test";
import { isForGood } from "../src/answer.ts";
import { SiteError } from "../src/api.ts";

test("what is not there will not be there at another try; a busy, lost or broken site may answer then", () => {
  for (const status of [400, 404, 413]) assert.equal(isForGood(new SiteError("There is no such puzzle here.", status)), true);
  for (const status of [0, 429, 500, 503]) assert.equal(isForGood(new SiteError("Try again later.", status)), false);
  assert.equal(isForGood(new TypeError("The page has a mistake.")), false);
});
