import assert from "node:assert/strict";
import { test } from "node:test";
import type { TimeControl } from "../src/api.ts";
import { timeWords } from "../src/feeds.ts";
import { TIMES, chosen, clocksOf, fieldsOfTime, textOf, timeFrom } from "../src/landing/times.ts";

const custom = (minutes: string, seconds: string) => ({ ...timeFrom(null), value: "custom", minutes, seconds });

const toldOf = (control: TimeControl) => ({ initialSeconds: control?.initialSeconds ?? 0, incrementSeconds: control?.incrementSeconds ?? 0 });

test("each preset has the time control that its name states", () => {
  assert.deepEqual(clocksOf(timeFrom("none")), { control: null, fault: "" });
  assert.deepEqual(clocksOf(timeFrom("15+10")), { control: { initialSeconds: 900, incrementSeconds: 10 }, fault: "" });
  for (const { value, name } of TIMES.slice(1, 8)) assert.equal(timeWords(toldOf(clocksOf(timeFrom(value)).control)), name);
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
  const kinds = ["custom", "byo-yomi", "canadian", "days"].map((value) => chosen(timeFrom(null), value));
  for (const time of [timeFrom("none"), timeFrom("3+2"), custom("7", "4"), custom("0.5", ""), ...kinds]) assert.deepEqual(timeFrom(textOf(time)), time);
  for (const text of [null, "", "custom", "1+2+3", "soon"]) assert.deepEqual(fieldsOfTime(timeFrom(text)), []);
  assert.equal(timeFrom("custom").value, "none");
});

test("times are written without rounding", () => {
  const told = (initialSeconds: number) => timeWords({ initialSeconds, incrementSeconds: 0 });
  assert.deepEqual([10, 30, 90, 100, 10_800].map(told), ["0:10 + 0", "0.5 + 0", "1.5 + 0", "1:40 + 0", "180 + 0"]);
});

test("byo-yomi, Canadian time and days are sent as the site takes them", () => {
  const of = (value: string, changes = {}) => clocksOf({ ...chosen(timeFrom(null), value), ...changes });
  assert.deepEqual(of("byo-yomi").control, { initialSeconds: 600, overtime: { periodSeconds: 30, periods: 5, moves: 1 } });
  assert.deepEqual(of("canadian").control, { initialSeconds: 600, overtime: { periodSeconds: 300, periods: 1, moves: 25 } });
  assert.deepEqual(of("days", { days: "7" }).control, { daysPerMove: 7 });
  assert.match(of("byo-yomi", { seconds: "4" }).fault, /^Byo-yomi has 0 to 180 minutes/);
  assert.match(of("canadian", { count: "" }).fault, /^Canadian time has 0 to 180 minutes/);
  assert.equal(of("byo-yomi", { minutes: "0" }).fault, "", "overtime may begin at once");
});

test("overtime and days are told in words", () => {
  const told = (overtime: [number, number, number]) => timeWords({ initialSeconds: 600, incrementSeconds: 0, overtime });
  assert.equal(told([30, 5, 1]), "10 + 5 × 30 s");
  assert.equal(told([300, 1, 25]), "10 + 25 moves in 5");
  assert.equal(timeWords({ initialSeconds: 86_400, incrementSeconds: 0, daysPerMove: 1 }), "1 day per move");
});
