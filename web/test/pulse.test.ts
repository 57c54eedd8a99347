import assert from "node:assert/strict";
import { mock, test } from "node:test";
import type { TestContext } from "node:test";
import { Pulse } from "../src/pulse.ts";

function line(context: TestContext) {
  mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  context.after(() => mock.timers.reset());
  const happened: string[] = [];
  const pulse = new Pulse(
    () => happened.push("asked"),
    () => happened.push("silent"),
  );
  return { pulse, happened };
}

test("a line that answers is asked again and again, and kept", (context) => {
  const { pulse, happened } = line(context);
  pulse.start();
  for (let times = 0; times < 10; times += 1) {
    mock.timers.tick(20_000);
    mock.timers.tick(3_000);
    pulse.heard();
  }
  assert.ok(happened.length >= 10);
  assert.ok(!happened.includes("silent"));
});

test("a line on which nothing comes is given up, once", (context) => {
  const { pulse, happened } = line(context);
  pulse.start();
  mock.timers.tick(20_000);
  assert.deepEqual(happened, ["asked"]);
  mock.timers.tick(14_999);
  assert.deepEqual(happened, ["asked"]);
  mock.timers.tick(1);
  assert.deepEqual(happened, ["asked", "silent"]);
  mock.timers.tick(600_000);
  assert.deepEqual(happened, ["asked", "silent"]);
});

test("who comes back to the page asks at once; where no line is open nobody asks", (context) => {
  const { pulse, happened } = line(context);
  pulse.ask();
  assert.deepEqual(happened, []);
  pulse.start();
  pulse.ask();
  pulse.ask();
  assert.deepEqual(happened, ["asked", "asked"]);
  mock.timers.tick(15_000);
  assert.deepEqual(happened, ["asked", "asked", "silent"]);
  pulse.start();
  pulse.ask();
  pulse.stop();
  mock.timers.tick(600_000);
  assert.deepEqual(happened.slice(3), ["asked"]);
});

test("a device that has slept dials anew, for its clocks stood still", (context) => {
  mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  context.after(() => mock.timers.reset());
  const happened: string[] = [];
  let slept = 5_000;
  const pulse = new Pulse(
    () => happened.push("asked"),
    () => happened.push("silent"),
    () => slept,
  );
  pulse.start();
  slept += 900;
  pulse.ask();
  slept += 200;
  pulse.ask();
  assert.deepEqual(happened, ["asked", "silent"]);
  mock.timers.tick(600_000);
  assert.deepEqual(happened, ["asked", "silent"]);
});
