import assert from "node:assert/strict";
import { test } from "node:test";
import { typed } from "../src/board/typed.ts";
import { choice } from "./boards.ts";

const choices = ["Ca4", "Ca5", ">c3", "bxc3", "Bxc3", "O-O", "O-O-O"].map((text, action) => choice(text, "cell", [0, 0], null, action));

test("a text that names one choice plays it, in upper or lower case", () => {
  assert.deepEqual(typed(" Ca4 ", choices), { action: 0, rest: "" });
  assert.deepEqual(typed("ca4", choices), { action: 0, rest: "" });
  assert.deepEqual(typed("o-o-o", choices), { action: 6, rest: "" });
});

test("case matters where two choices differ only in case", () => {
  assert.deepEqual(typed("bxc3", choices), { action: 3, rest: "" });
  assert.deepEqual(typed("Bxc3", choices), { action: 4, rest: "" });
  assert.ok("fault" in typed("BXC3", choices));
});

test("text after a full stop or space is returned as the rest", () => {
  assert.deepEqual(typed(">c3.Ca4", choices), { action: 2, rest: "Ca4" });
  assert.deepEqual(typed("Ca4 >d3", choices), { action: 0, rest: ">d3" });
});

test("the error for an illegal move lists legal ones", () => {
  const found = typed("Zz9", choices);
  assert.ok("fault" in found);
  assert.match(found.fault, /Zz9.*not a legal move.*Ca4/);
  assert.ok("fault" in typed("  ", choices));
});

test("the target of a double step stands for its first step, around walls", () => {
  // a cat on c4 of a board whose row 0 is the top, row 8
  const steps: [string, [number, number]][] = [["Cd4", [4, 3]], ["Cb4", [4, 1]], ["Cc5", [3, 2]], ["Cc3", [5, 2]], ["Md5", [3, 3]], [">b5", [3, 1]]];
  const cat = steps.map(([text, at], action) => choice(text, "cell", at, null, action));
  const wall = (side: "right" | "top", row: number, column: number) => ({ at: [row, column] as [number, number], side, owner: null });
  assert.deepEqual(typed("Cd5", cat), { action: 0, rest: "Cd5" });
  assert.deepEqual(typed("cd5", cat, [wall("top", 4, 3)]), { action: 2, rest: "cd5" }); // not through the wall above d4
  assert.deepEqual(typed("Cd5", cat, [wall("right", 3, 2)]), { action: 0, rest: "Cd5" });
  assert.deepEqual(typed("Cd3", cat, [wall("top", 5, 3)]), { action: 3, rest: "Cd3" });
  assert.deepEqual(typed("Ca4", cat), { action: 1, rest: "Ca4" });
  assert.deepEqual(typed("Cd4.Cd5", cat), { action: 0, rest: "Cd5" });
  for (const far of ["Ce6", "Mb3", ">b4", "C4", "Cb"]) assert.ok("fault" in typed(far, cat), far);
  const walled = [wall("top", 4, 3), wall("right", 3, 2)];
  assert.ok("fault" in typed("Cd5", cat, walled));
});

test("several choices of one action are not ambiguous", () => {
  const choices = [0, 1].map((row) => ({ action: 3, text: "4", kind: "cell", at: [row, 3] as [number, number], source: null, label: null, move: null, ask: null }));
  assert.deepEqual(typed("4", choices), { action: 3, rest: "" });
});

test("a move is found by either notation, with or without the sign for check", () => {
  const knight = { ...choice("g1f3"), move: "Nf3+" };
  const pawn = { ...choice("e7e8q", "cell", [0, 4], null, 1), move: "e8=Q" };
  for (const text of ["g1f3", "Nf3", "Nf3+", "nf3!"]) assert.deepEqual(typed(text, [knight, pawn]), { action: 0, rest: "" });
  assert.deepEqual(typed("e8=Q", [knight, pawn]), { action: 1, rest: "" });
});

test("the label of a button can be typed", () => {
  const buttons = [
    { ...choice("pass", "button", [0, 0], null, 81), label: "Agree: B+3.5" },
    { ...choice("black", "button", [0, 0], null, 82), label: "Take Black" },
  ];
  assert.deepEqual(typed("agree: b+3.5", buttons), { action: 81, rest: "" });
  assert.deepEqual(typed("Take Black", buttons), { action: 82, rest: "" });
  assert.deepEqual(typed("pass", buttons), { action: 81, rest: "" });
});
