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

test("a connection that answers is pinged periodically and kept", (context) => {
  const { pulse, happened } = line(context);
  pulse.start();
  for (let times = 0; times < 10; times += 1) {
    mock.timers.tick(3_000);
    mock.timers.tick(3_000);
    pulse.heard();
  }
  assert.deepEqual(happened, Array(10).fill("asked"));
});

test("a connection on which messages arrive gets no pings", (context) => {
  const { pulse, happened } = line(context);
  pulse.start();
  for (let times = 0; times < 10; times += 1) {
    mock.timers.tick(2_999);
    pulse.heard();
  }
  assert.deepEqual(happened, []);
  pulse.stop();
  pulse.heard();
  mock.timers.tick(600_000);
  assert.deepEqual(happened, []);
});

test("a connection without answers is reported as silent after eight seconds, once", (context) => {
  const { pulse, happened } = line(context);
  pulse.start();
  mock.timers.tick(3_000);
  assert.deepEqual(happened, ["asked"]);
  mock.timers.tick(4_999);
  assert.deepEqual(happened, ["asked"]);
  mock.timers.tick(1);
  assert.deepEqual(happened, ["asked", "silent"]);
  mock.timers.tick(600_000);
  assert.deepEqual(happened, ["asked", "silent"]);
});

test("a return to the page sends a ping at once, but only on an open connection", (context) => {
  const { pulse, happened } = line(context);
  pulse.ask();
  assert.deepEqual(happened, []);
  pulse.start();
  pulse.ask();
  pulse.ask();
  assert.deepEqual(happened, ["asked", "asked"]);
  mock.timers.tick(5_000);
  assert.deepEqual(happened, ["asked", "asked", "silent"]);
  pulse.start();
  pulse.ask();
  pulse.stop();
  mock.timers.tick(600_000);
  assert.deepEqual(happened.slice(3), ["asked"]);
});

test("after sleep of the device, the connection is reported as silent", (context) => {
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
