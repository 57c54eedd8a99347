import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { poll } from "../src/polled.ts";

/** Set up a visible page and a poll whose requests the test answers. */
function asking(context: { after: (undo: () => void) => void }) {
  mock.timers.enable({ apis: ["setInterval"] });
  Object.assign(globalThis, { document: Object.assign(new EventTarget(), { visibilityState: "visible" }) });
  context.after(() => {
    mock.timers.reset();
    Reflect.deleteProperty(globalThis, "document");
  });
  const answers: ((answer: string) => void)[] = [];
  const taken: string[] = [];
  const stop = poll(() => new Promise<string>((resolve) => answers.push(resolve)), 1000, (answer) => taken.push(answer), assert.fail);
  const answer = async (number: number) => {
    answers[number]?.(`answer ${number}`);
    await Promise.resolve();
    await Promise.resolve();
  };
  return { answer, answers, taken, stop };
}

test("an answer that arrives after a newer one is dropped", async (context) => {
  const { answer, taken, stop } = asking(context);
  mock.timers.tick(2000);
  for (const number of [1, 0, 2]) await answer(number);
  assert.deepEqual(taken, ["answer 1", "answer 2"]);
  stop();
});

test("a hidden page sends no requests, and answers after the stop are dropped", async (context) => {
  const { answer, answers, taken, stop } = asking(context);
  Object.assign(document, { visibilityState: "hidden" });
  mock.timers.tick(5000);
  assert.equal(answers.length, 1);
  Object.assign(document, { visibilityState: "visible" });
  document.dispatchEvent(new Event("visibilitychange"));
  assert.equal(answers.length, 2);
  stop();
  mock.timers.tick(5000);
  await answer(1);
  assert.deepEqual([answers.length, taken], [2, []]);
});
