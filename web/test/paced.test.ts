import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { paced } from "../src/paced.ts";

test("of rapid calls, the first runs at once and the last after a pause", (context) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  context.after(() => mock.timers.reset());
  const ran: number[] = [];
  const { run } = paced(150);
  for (let at = 1; at <= 50; at += 1) {
    run(() => ran.push(at));
    mock.timers.tick(30);
  }
  assert.deepEqual(ran, [1]);
  mock.timers.tick(150);
  assert.deepEqual(ran, [1, 50]);
  run(() => ran.push(51));
  assert.deepEqual(ran, [1, 50, 51]);
});

test("calls with pauses between them all run at once", (context) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  context.after(() => mock.timers.reset());
  const ran: number[] = [];
  const { run } = paced(150);
  for (const at of [1, 2, 3]) {
    run(() => ran.push(at));
    assert.equal(ran.at(-1), at);
    mock.timers.tick(151);
  }
  assert.deepEqual(ran, [1, 2, 3]);
});

test("a dropped call does not run, and later calls are still throttled", (context) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  context.after(() => mock.timers.reset());
  const ran: number[] = [];
  const { run, forget } = paced(150);
  run(() => ran.push(1));
  run(() => ran.push(2));
  forget();
  run(() => ran.push(3));
  forget();
  mock.timers.tick(200);
  assert.deepEqual(ran, [1]);
});

test("flush runs the delayed call before the pause, and only once", (context) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  context.after(() => mock.timers.reset());
  const ran: number[] = [];
  const { run, flush } = paced(150);
  run(() => ran.push(1));
  run(() => ran.push(2));
  flush();
  assert.deepEqual(ran, [1, 2]);
  mock.timers.tick(200);
  assert.deepEqual(ran, [1, 2]);
});
