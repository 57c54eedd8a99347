import assert from "node:assert/strict";
import { test } from "node:test";
import type { ClockInfo } from "../src/api.gen.ts";
import { faceOf, isOverDays, overtimeText, timeText } from "../src/game/clock-face.ts";

const clock = (left: number, moves = 1, played = 0): ClockInfo => {
  const periods = moves > 1 ? 1 : 5;
  const overtime = { period: 30_000, periods, moves, left: [periods, periods] as [number, number], played: [played, 0] as [number, number] };
  return { left: [left, left], running: 0, initial: 600_000, increment: 0, overtime };
};

test("a clock shows the main time, then the present period and how many are left", () => {
  const byoYomi = clock(160_000);
  const shown = [0, 9_999, 10_000, 39_999, 40_000, 159_000].map((after) => {
    const face = faceOf(byoYomi, 0, after);
    return [timeText(face.left), overtimeText(byoYomi, face)];
  });
  assert.deepEqual(shown, [
    ["0:10", "+ 5 × 0:30"],
    ["0.0", "+ 5 × 0:30"],
    ["0:30", "5 periods"],
    ["0.0", "5 periods"],
    ["0:30", "4 periods"],
    ["1.0", "last period"],
  ]);
});

test("Canadian time shows the moves to go", () => {
  const canadian = clock(25_000, 4, 3);
  assert.equal(overtimeText(canadian, faceOf(canadian, 0, 0)), "1 move to go");
  const before = clock(31_000, 4);
  assert.equal(overtimeText(before, faceOf(before, 0, 0)), "+ 4 moves in 0:30");
});

test("only the end of a period is low, not that of a main time with overtime", () => {
  assert.deepEqual([155_000, 150_000, 129_000].map((left) => faceOf(clock(left), 0, 0).low), [false, false, true]);
});

test("a game over days shows days and hours", () => {
  const days: ClockInfo = { ...clock(3 * 86_400_000 - 1000), overtime: { period: 3 * 86_400_000, periods: 1, moves: 1, left: [1, 1], played: [0, 0] } };
  const face = faceOf(days, 0, 0);
  assert.ok(isOverDays(days));
  assert.equal(timeText(face.left), "2 days 23 h");
  assert.equal(overtimeText(days, face), "");
});
