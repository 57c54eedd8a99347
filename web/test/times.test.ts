import assert from "node:assert/strict";
import { test } from "node:test";
import { timeWords } from "../src/feeds.ts";
import { TIMES, chosen, clocksOf, isCustom, textOf, timeFrom } from "../src/landing/times.ts";

const custom = (minutes: string, seconds: string) => ({ value: "custom", minutes, seconds });

test("each preset has the time control that its name states", () => {
  assert.deepEqual(clocksOf(timeFrom("none")), { control: null, fault: "" });
  assert.deepEqual(clocksOf(timeFrom("15+10")), { control: { initialSeconds: 900, incrementSeconds: 10 }, fault: "" });
  for (const { value, name } of TIMES.slice(1, -1)) assert.equal(timeWords(clocksOf(timeFrom(value)).control), name);
});

test("custom times are accepted within the site's limits", () => {
  assert.deepEqual(clocksOf(custom("0.5", "0")).control, { initialSeconds: 30, incrementSeconds: 0 });
  assert.deepEqual(clocksOf(custom("180", "180")).control, { initialSeconds: 10_800, incrementSeconds: 180 });
  for (const [minutes, seconds] of [["0.1", "5"], ["181", "0"], ["5", "181"], ["5", "-1"], ["5", "2.5"], ["", "3"], ["5", ""], ["x", "3"]] as const) {
    const { control, fault } = clocksOf(custom(minutes, seconds));
    assert.equal(control, null);
    assert.match(fault, /^A clock starts with 10 seconds to 180 minutes/);
  }
});

test("the custom fields start with the numbers of the last preset", () => {
  const after = chosen(chosen(timeFrom(null), "10+2"), "custom");
  assert.deepEqual(after, custom("10", "2"));
  assert.deepEqual(chosen(after, "none").value, "none");
});

test("a stored time control is restored, and malformed text gives the default", () => {
  for (const time of [timeFrom("none"), timeFrom("3+2"), custom("7", "4"), custom("0.5", "")]) assert.deepEqual(timeFrom(textOf(time)), time);
  for (const text of [null, "", "custom", "1+2+3", "soon"]) assert.equal(isCustom(timeFrom(text)), false);
  assert.equal(timeFrom("custom").value, "none");
});

test("times are written without rounding", () => {
  const told = (initialSeconds: number) => timeWords({ initialSeconds, incrementSeconds: 0 });
  assert.deepEqual([10, 30, 90, 100, 10_800].map(told), ["0:10 + 0", "0.5 + 0", "1.5 + 0", "1:40 + 0", "180 + 0"]);
});
