import assert from "node:assert/strict";
import { test } from "node:test";
import { merged } from "../src/prefs.ts";

test("invalid stored settings are replaced by defaults", () => {
  assert.equal(merged({ sound: false }).sound, false);
  assert.equal(merged({ sound: "loud" }).sound, true);
  assert.equal(merged({ theme: "dark" }).theme, "dark");
  assert.equal(merged({ theme: "pink" }).theme, "auto");
  assert.equal(merged({ thinker: "site" }).thinker, "site");
  assert.equal(merged({ thinker: "nobody" }).thinker, "device");
  assert.deepEqual(merged(null), merged({}));
  assert.ok(!("other" in merged({ other: 1 })));
});
