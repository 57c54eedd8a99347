import assert from "node:assert/strict";
import { test } from "node:test";
import { typed } from "../src/board/typed.ts";
import { choice } from "./boards.ts";

const choices = ["Ca4", "Ca5", ">c3", "bxc3", "Bxc3", "O-O", "O-O-O"].map((text, action) => choice(text, "cell", [0, 0], null, action));

test("a text that names one choice plays it, whatever its capitals", () => {
  assert.deepEqual(typed(" Ca4 ", choices), { action: 0, rest: "" });
  assert.deepEqual(typed("ca4", choices), { action: 0, rest: "" });
  assert.deepEqual(typed("o-o-o", choices), { action: 6, rest: "" });
});

test("capitals count where they tell two choices apart", () => {
  assert.deepEqual(typed("bxc3", choices), { action: 3, rest: "" });
  assert.deepEqual(typed("Bxc3", choices), { action: 4, rest: "" });
  assert.ok("fault" in typed("BXC3", choices));
});

test("what follows a full stop waits for the next position", () => {
  assert.deepEqual(typed(">c3.Ca4", choices), { action: 2, rest: "Ca4" });
  assert.deepEqual(typed("Ca4 >d3", choices), { action: 0, rest: ">d3" });
});

test("what is not possible is said with examples", () => {
  const found = typed("Zz9", choices);
  assert.ok("fault" in found);
  assert.match(found.fault, /Zz9.*not possible.*Ca4/);
  assert.ok("fault" in typed("  ", choices));
});

test("a cell that is two steps away is reached by typing both", () => {
  const cat = ["Cb4", "Ca5", "Ca3", "Mc4", ">b5"].map((text, action) => choice(text, "cell", [0, 0], null, action));
  const found = (text: string) => {
    const answer = typed(text, cat);
    return "fault" in answer ? answer.fault : "";
  };
  assert.match(found("Cb5"), /two steps away: the first is Cb4 or Ca5\.$/);
  assert.match(found("ca6"), /two steps away: the first is Ca5\.$/);
  for (const far of ["Cd4", "Mb3", ">b4", "C4", "Cb"]) assert.match(found(far), /is not possible here/);
  assert.deepEqual(typed("Cb4.Cb5", cat), { action: 0, rest: "Cb5" });
});

test("an action that can be clicked in several places is one action", () => {
  const choices = [0, 1].map((row) => ({ action: 3, text: "4", kind: "cell", at: [row, 3] as [number, number], source: null, label: null, move: null }));
  assert.deepEqual(typed("4", choices), { action: 3, rest: "" });
});

test("a move is known by both of its names, with or without the sign for check", () => {
  const knight = { ...choice("g1f3"), move: "Nf3+" };
  const pawn = { ...choice("e7e8q", "cell", [0, 4], null, 1), move: "e8=Q" };
  for (const text of ["g1f3", "Nf3", "Nf3+", "nf3!"]) assert.deepEqual(typed(text, [knight, pawn]), { action: 0, rest: "" });
  assert.deepEqual(typed("e8=Q", [knight, pawn]), { action: 1, rest: "" });
});
