import assert from "node:assert/strict";
import { test } from "node:test";
import { chanceOf, evaluationWords, lossOf, percent, pointsOf } from "../src/chances.ts";
import { isPlayedByPeople } from "../src/game/use-evaluation-switch.ts";
import { state } from "./states.ts";

test("a value is a win chance of each side, and only a proved win is certain", () => {
  assert.equal(chanceOf(0.3449, 0), "67 %");
  assert.equal(chanceOf(0.3449, 1), "33 %");
  assert.equal(chanceOf(-0.0, 1), "50 %");
  assert.equal(chanceOf(0.9999, 0), "99 %");
  assert.equal(chanceOf(0.9999, 1), "1 %");
  assert.equal(chanceOf(-1, 1), "100 %");
  assert.equal(chanceOf(-1, 0), "0 %");
  assert.equal(lossOf(0.62), "31 %");
  assert.equal(percent(4.6), "5 %");
});

test("a lead is told in half points", () => {
  assert.equal(pointsOf(-3.6), "3.5 points");
  assert.equal(pointsOf(0.9), "1 point");
});

test("an evaluation is a sentence with its label", () => {
  const names = ["Guest", "Wally"];
  assert.equal(evaluationWords(names, 1, -0.5), "You: 75 % win chance");
  assert.equal(evaluationWords(names, 0, -0.9), "Wally: 95 % win chance");
  assert.equal(evaluationWords(names, null, 1), "Guest wins for sure");
  assert.equal(evaluationWords(names, 1, -1), "You win for sure");
  assert.equal(evaluationWords(names, 1, -1, null, 3), "You win in 3 moves");
  assert.equal(evaluationWords(names, null, 1, null, 1), "Guest wins in 1 move");
  assert.equal(evaluationWords(names, null, 1, null, 0), "Guest wins for sure");
  assert.equal(evaluationWords(names, null, null), "No evaluation yet");
  assert.equal(evaluationWords(["Black", "White"], null, 0.4, 3.6), "Black: 70 % win chance, 3.5 points ahead");
  assert.equal(evaluationWords(["Black", "White"], null, 0.1, -0.6), "Black: 55 % win chance, White 0.5 points ahead");
  assert.equal(evaluationWords(["Black", "White"], null, 0.1, 0.1), "Black: 55 % win chance, the score is even");
});

test("a player of a running game between people has a switch that is not remembered", () => {
  const person = { name: "Ann", kind: "person" as const, connected: true };
  const people = state({ players: [person, person] });
  assert.equal(isPlayedByPeople(people), true);
  assert.equal(isPlayedByPeople({ ...people, you: null }), false);
  assert.equal(isPlayedByPeople({ ...people, status: "over" }), false);
  assert.equal(isPlayedByPeople(state()), false);
});
