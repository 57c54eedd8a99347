import assert from "node:assert/strict";
import { test } from "node:test";
import { SEED, actionsTo, beside, commented, endFrom, grown, isLine, isMain, listed, marked, named, pathTo, placeIn, promoted, pruned, signed, stepBack, stepOn, written } from "../src/study/tree.ts";
import { board } from "./boards.ts";
import type { Tree, Written } from "../src/study/tree.ts";

const move = (text: string, ply: number, player: number) => ({ text, player, ply, clocks: null });
const MOVES = [move("e4", 1, 0), move("e5", 2, 1), move("Nf3", 3, 0)];

function opening(): [Tree, number] {
  return grown(SEED, 0, named([10, 20, 30], MOVES, 0));
}

/** Print a line like `1 e4 1 e5 (1 c5) 2 Nf3`. */
function text(line: Written[]): string {
  return line
    .map(({ place, twig, number, others }) => {
      const own = place < 0 ? [] : [`${number} ${twig.text}`];
      return [...own, ...others.map((other) => `(${text(other)})`)].join(" ");
    })
    .join(" ");
}

test("a new line is added beside the existing one", () => {
  const [tree] = opening();
  const [first] = pathTo(tree, 3);
  const [more, end] = grown(tree, first ?? 0, named([21, 31], [move("e4", 1, 0), move("c5", 2, 1), move("d4", 3, 0)], 1));
  assert.deepEqual(actionsTo(more, end), [10, 21, 31]);
  assert.equal(text(written(more, 1)), "1 e4 1 e5 (1 c5 2 d4) 2 Nf3");
  assert.deepEqual(grown(more, 0, named([10, 21, 31], [], 0)), [more, end]);
  assert.equal(isMain(more, end), false);
});

test("a promoted line becomes the main line from its first action", () => {
  const [tree] = opening();
  const [more, end] = grown(tree, 1, named([21], [move("e4", 1, 0), move("c5", 2, 1)], 1));
  const after = promoted(more, end);
  assert.equal(text(written(after, 1)), "1 e4 1 c5 (1 e5 2 Nf3)");
  assert.ok(isMain(after, end));
  assert.equal(endFrom(after, 0), end);
  assert.equal(text(written(pruned(after, end), 1)), "1 e4 1 e5 2 Nf3");
});

test("a move of two actions is one step in both directions and is printed once", () => {
  const [tree, end] = grown(SEED, 0, named([1, 2, 3, 4], [move(">a1.^b2", 2, 0), move("Ca4.Ca3", 4, 1)], 0));
  assert.equal(text(written(tree, 1)), "1 >a1.^b2 1 Ca4.Ca3");
  assert.deepEqual([stepBack(tree, end), stepBack(tree, 2), stepOn(tree, 0), stepOn(tree, 2)], [2, 0, 2, 4]);
});

test("a different second action starts a variation", () => {
  const [tree] = grown(SEED, 0, named([1, 2], [move("a.b", 2, 0)], 0));
  const [more] = grown(tree, 1, named([3], [move("a.c", 2, 0)], 1));
  assert.equal(text(written(more, 1)), "1 a.b (1 a.c)");
});

test("an unfinished move is printed up to its latest action", () => {
  const [tree, end] = grown(SEED, 0, named([1, 2, 3], [move("a.b", 2, 0), move("c", 3, 1)], 0));
  assert.equal(text(written(tree, 1)), "1 a.b 1 c");
  const [more] = grown(tree, end, named([4], [move("a.b", 2, 0), move("c.d", 4, 1)], 3));
  assert.equal(text(written(more, 1)), "1 a.b 1 c.d");
});

test("a line that the second player begins has the same numbers as the move list", () => {
  const [tree] = grown(SEED, 0, named([1, 2, 3, 4], [move("e5", 1, 1), move("Nf3", 2, 0), move("Nc6", 3, 1), move("Bb5", 4, 0)], 0));
  assert.equal(text(written(tree, 1)), "1 e5 2 Nf3 2 Nc6 3 Bb5");
});

test("a second move in succession by the second player gets a new number", () => {
  const [tree] = grown(SEED, 0, named([1, 2, 3, 4], [move("a", 1, 0), move("b", 2, 1), move("c", 3, 1), move("d", 4, 0)], 0));
  assert.equal(text(written(tree, 1)), "1 a 1 b 2 c 3 d");
});

test("a tree is listed with each node after its parent and the promoted line first", () => {
  const [tree, end] = grown(opening()[0], 1, named([40], [move("c5", 2, 1)], 1));
  const nodes = listed(promoted(tree, end));
  assert.deepEqual(nodes.map((node) => [node.parent, node.action]), [[-1, -1], [0, 10], [1, 40], [1, 20], [3, 30]]);
  assert.equal(listed(pruned(tree, 2)).length, 3);
});

test("marks of a recorded game are added to its board", () => {
  const plain = board({ marks: [{ at: [0, 0], kind: "last" }] });
  assert.equal(marked(plain, undefined), plain);
  const shown = marked(plain, [[[1, 2], "triangle", ""], [[0, 1], "label", "A"]]);
  assert.deepEqual([shown.marks.length, shown.marks[1]?.kind, shown.labels], [2, "triangle", [{ at: [0, 1], text: "A" }]]);
});

test("an alternative to a move is found in both directions, at the end of its move", () => {
  const [tree, end] = opening();
  const [more, other] = grown(tree, 1, named([21], [move("e4", 1, 0), move("c5", 2, 1)], 1));
  assert.deepEqual([beside(more, other, 1), beside(more, 2, 1), beside(more, 2, -1)], [2, other, other]);
  assert.deepEqual([beside(more, end, 1), beside(more, 0, 1)], [end, 0], "there is none");
  const [two] = grown(SEED, 0, named([1, 2], [move("a.b", 2, 0)], 0));
  const [three, last] = grown(two, 1, named([3], [move("a.c", 2, 0)], 1));
  const [four, whole] = grown(three, 0, named([5, 6], [move("d.e", 2, 0)], 0));
  assert.deepEqual([beside(four, 2, 1), beside(four, last, 1), beside(four, whole, 1)], [last, 2, 2]);
});

test("a sign takes the place of another one, and leaves other signs", () => {
  const [tree] = opening();
  const judged = tree.map((twig, place) => (place === 2 ? { ...twig, nags: [1, 14], signs: "!⩲" } : twig));
  const changed = signed(judged, 2, 4)[2];
  assert.deepEqual([changed?.nags, changed?.signs], [[4, 14], "??⩲"]);
  const bare = signed(judged, 2, 0)[2];
  assert.deepEqual([bare?.nags, bare?.signs], [[14], "⩲"]);
  assert.equal(signed(tree, 1, 5)[1]?.signs, "!?");
});

test("a tree is a plain line until something is written about it or it branches, and again when that is deleted", () => {
  const [tree, end] = opening();
  assert.ok(isLine(tree));
  assert.ok(!isLine(commented(tree, end, "a comment")));
  assert.ok(!isLine(signed(tree, end, 1)));
  const [more, other] = grown(tree, 1, named([21], [move("e4", 1, 0), move("c5", 2, 1)], 1));
  assert.ok(!isLine(more));
  assert.equal(listed(more)[placeIn(more, other)]?.action, 21);
  assert.ok(isLine(pruned(more, other)));
  assert.equal(placeIn(pruned(more, 2), other), 2, "deleted places are not counted");
});
