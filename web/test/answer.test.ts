import assert from "node:assert/strict";
import { test } from "node:test";
import { isForGood } from "../src/answer.ts";
import { SiteError } from "../src/api.ts";

test("errors 400, 404 and 413 are permanent; errors of a busy, unreachable or failing site are not", () => {
  for (const status of [400, 404, 413]) assert.equal(isForGood(new SiteError("This site has no such puzzle.", status)), true);
  for (const status of [0, 429, 500, 503]) assert.equal(isForGood(new SiteError("Try again later.", status)), false);
  assert.equal(isForGood(new TypeError("The page has a mistake.")), false);
});
