import assert from "node:assert/strict";
import { test } from "node:test";
import { budgetOf, threadsOf } from "../src/budget.ts";
import { agree, pick } from "../src/device.ts";
import type { Evaluator, Outputs } from "../src/device.ts";

const outputs = (logits: number[], outcomes: number[]): Outputs => ({ logits: Float32Array.from(logits), outcomes: Float32Array.from(outcomes) });
const RIGHT = outputs([-8, 0, 3], [0.5, 0.2, 0.3]);

/** An evaluator that takes so long, and notes whether it was closed. */
function evaluator(device: "wasm" | "webgpu", answer: Outputs | Error, ms = 0) {
  const made = {
    ...{ device, threads: 1, closed: false },
    evaluate: async () => {
      await new Promise((resolve) => setTimeout(resolve, ms));
      if (answer instanceof Error) throw answer;
      return answer;
    },
    close: async () => void (made.closed = true),
  };
  return made satisfies Evaluator;
}
const batches = [{ planes: new Uint8Array(18), count: 1, shape: [2, 3, 3] as const }];

test("evaluators agree within two hundredths, relative for large logits", () => {
  assert.ok(agree(RIGHT, RIGHT));
  assert.ok(agree(RIGHT, outputs([-8.1, 0.01, 3.05], [0.51, 0.2, 0.29])));
  assert.ok(!agree(RIGHT, outputs([-8.3, 0, 3], [0.5, 0.2, 0.3])));
  assert.ok(!agree(RIGHT, outputs([-8, 0, 3], [0.53, 0.2, 0.27])));
  assert.ok(!agree(RIGHT, outputs([-8, NaN, 3], [0.5, 0.2, 0.3])));
  assert.ok(!agree(RIGHT, outputs([-8, 0], [0.5, 0.2, 0.3])));
});

test("the graphics processor is used if it is right and faster, and the other evaluator is closed", async () => {
  const chosen = async (fast: Outputs | Error, slowMs: number, fastMs: number, isWanted = false) => {
    const both = [evaluator("wasm", RIGHT, slowMs), evaluator("webgpu", fast, fastMs)] as const;
    const found = await pick(...both, batches, isWanted);
    assert.deepEqual(both.map((each) => each.closed), both.map((each) => each !== found));
    return found.device;
  };
  assert.equal(await chosen(RIGHT, 40, 0), "webgpu");
  assert.equal(await chosen(RIGHT, 0, 40), "wasm");
  assert.equal(await chosen(RIGHT, 0, 40, true), "webgpu");
  assert.equal(await chosen(outputs([-8, 0, 3], [0.4, 0.2, 0.4]), 40, 0, true), "wasm");
  assert.equal(await chosen(new Error("the device is lost"), 40, 0, true), "wasm");
});

test("phones and small machines think less", () => {
  const visits = (machine: Parameters<typeof budgetOf>[0]) => budgetOf(machine).visits;
  const laptop = { hardwareConcurrency: 8, deviceMemory: 8, userAgentData: { mobile: false } };
  assert.ok(visits({ ...laptop, userAgentData: { mobile: true } }) < visits({ ...laptop, hardwareConcurrency: 2 }));
  assert.ok(visits({ ...laptop, deviceMemory: 2 }) < visits(laptop));
  assert.equal(visits({ userAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Mobile/15E148" }), visits({ userAgentData: { mobile: true } }));
  assert.equal(visits({}), visits(laptop));
});

test("threads need cross-origin isolation, and leave cores to the page", () => {
  assert.equal(threadsOf({ hardwareConcurrency: 16 }, false), 1);
  assert.equal(threadsOf({ hardwareConcurrency: 16 }, true), 4);
  assert.equal(threadsOf({ hardwareConcurrency: 2 }, true), 1);
  assert.equal(threadsOf({ hardwareConcurrency: 8, userAgentData: { mobile: true } }, true), 2);
  assert.equal(threadsOf({}, true), 1);
});
