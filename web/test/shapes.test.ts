import assert from "node:assert/strict";
import { test } from "node:test";
import type { Board } from "../src/api.gen.ts";
import { sidesOf } from "../src/board/colours.ts";
import { allCells, cellAt, cellName, centre, frame, layoutOf, spotOf } from "../src/board/geometry.ts";
import type { Cell } from "../src/board/geometry.ts";
import { ARROWS, neighbour } from "../src/board/neighbours.ts";
import { changes, reading } from "../src/board/reading.ts";
import { sourceAt, targetAt, targetsOf } from "../src/board/targets.ts";
import { turned } from "../src/board/turned.ts";
import { board, choice, piece } from "./boards.ts";

type Place = Board["cells"][number];
const place = (row: number, column: number, changes: Partial<Place> = {}): Place => ({ at: [row, column], centre: null, size: [1, 1], name: "", ...changes });
const bare = { column_labels: [], row_labels: [] };

const round = (value: number) => Math.round(16 * value) / 16; // without an error when it is turned twice

const rhombus = board({ ...bare, rows: 5, columns: 5, style: "hexagons" });
const sevens = Array.from({ length: 49 }, (_, index) => [Math.floor(index / 7), index % 7] as const);
const hexagon = board({ ...bare, rows: 7, columns: 7, style: "hexagons", cells: sevens.filter(([row, column]) => row + column >= 3 && row + column <= 9).map(([row, column]) => place(row, column)) });
const rings = [0, 1, 2].flatMap((a) => [[a, a], [a, 3], [a, 6 - a], [3, 6 - a], [6 - a, 6 - a], [6 - a, 3], [6 - a, a], [3, a]] as [number, number][]);
const mill = board({ ...bare, rows: 7, columns: 7, style: "points", cells: rings.map(([row, column]) => place(row, column)), lines: [[[0, 0], [0, 6]]] });
const circle = board({ ...bare, rows: 1, columns: 12, style: "points", cells: sevens.slice(0, 12).map((_, k) => place(0, k, { centre: [round(3 + 3 * Math.sin(k)), round(3 + 3 * Math.cos(k))] })) });
const stores = board({
  ...bare,
  rows: 2,
  columns: 5,
  style: "pits",
  cells: [place(0, 0, { centre: [0.5, 0], size: [2, 1], name: "left store" }), ...[1, 2, 3].flatMap((column) => [place(0, column), place(1, column)]), place(1, 4, { centre: [0.5, 4], size: [2, 1] })],
});
const held = board({ rows: 3, columns: 3, trays: 2, pieces: [piece("pawn", 3, 1), piece("pawn", 3, 1), piece("rook", -1, 0, 1)], choices: [choice("P@b2", "cell", [1, 1], [3, 1], 5)] });
const all = { rhombus, hexagon, mill, circle, stores, held, plain: board({ rows: 4, columns: 6 }) };

test("a point in the middle of a cell is in that cell, on a board of any shape", () => {
  for (const [name, here] of Object.entries(all)) {
    const { cells, trays } = layoutOf(here);
    for (const { at } of [...cells, ...trays]) assert.deepEqual(cellAt(here, centre(here, at)), at, name);
    assert.equal(cellAt(here, { x: -500, y: -500 }), null, name);
  }
});

test("hexagons share their corners: a point belongs to the nearest one", () => {
  const { x, y } = centre(rhombus, [2, 2]);
  assert.deepEqual(cellAt(rhombus, { x, y: y - 55 }), [2, 2], "the upper corner");
  assert.deepEqual(cellAt(rhombus, { x: x + 20, y: y - 52 }), [1, 3]);
  assert.deepEqual(cellAt(rhombus, { x: x - 20, y: y - 52 }), [1, 2]);
  assert.deepEqual(cellAt(rhombus, { x: x - 55, y }), [2, 1]);
});

test("all cells and trays are inside the frame", () => {
  for (const here of Object.values(all)) {
    const box = frame(here, true);
    const { cells, trays } = layoutOf(here);
    for (const { x, y, width, height } of [...cells, ...trays]) {
      assert.ok(x - width / 2 >= -box.left && x + width / 2 <= box.width - box.left);
      assert.ok(y - height / 2 >= -box.top && y + height / 2 <= box.height - box.top);
    }
  }
  const empty = frame(board({ ...bare, rows: 0, columns: 0 }), true);
  assert.equal(empty.width, empty.height);
});

test("arrow keys lead to every cell of a board of any shape", () => {
  for (const [name, here] of Object.entries(all)) {
    const { cells, trays } = layoutOf(here);
    const found = new Set<string>();
    const open: Cell[] = [cells[0]!.at];
    for (let at = open.pop(); at; at = open.pop()) {
      if (found.has(String(at))) continue;
      found.add(String(at));
      for (const step of Object.values(ARROWS)) {
        const next = neighbour(here, at, step);
        if (next) open.push(next);
      }
    }
    assert.equal(found.size, cells.length + trays.length, name);
  }
});

test("arrow keys lead to the next cell of a row or a column, and nowhere at the border", () => {
  const go = (here: Board, from: Cell, key: string) => neighbour(here, from, ARROWS[`Arrow${key}`]!);
  assert.deepEqual(go(all.plain, [1, 1], "Up"), [0, 1]);
  assert.deepEqual(go(all.plain, [1, 1], "Right"), [1, 2]);
  assert.equal(go(all.plain, [0, 0], "Left"), null);
  assert.deepEqual(go(mill, [3, 2], "Right"), [3, 4], "across the hole");
  assert.deepEqual(go(mill, [0, 0], "Down"), [3, 0]);
  assert.deepEqual(go(held, [2, 1], "Down"), [3, 1], "into the tray");
  assert.deepEqual(go(stores, [1, 1], "Left"), [0, 0], "the store");
});

test("keys up and down zigzag between hexagons and lead back", () => {
  let at: Cell = [4, 2];
  const way: Cell[] = [at];
  for (let step = 0; step < 4; step += 1) way.push((at = neighbour(rhombus, at, ARROWS["ArrowUp"]!)!));
  assert.deepEqual(way.map(([row]) => row), [4, 3, 2, 1, 0]);
  assert.equal(centre(rhombus, at).x, centre(rhombus, [4, 2]).x);
  for (let step = 0; step < 4; step += 1) at = neighbour(rhombus, at, ARROWS["ArrowDown"]!)!;
  assert.deepEqual(at, [4, 2]);
});

test("a hexagon and a piece in hand can be clicked", () => {
  const here = board({ ...rhombus, choices: [choice("c3", "cell", [2, 2], null, 7)] });
  const { x, y } = centre(here, [2, 2]);
  assert.equal(targetAt(here, targetsOf(here), { x: x + 40, y: y + 10 })?.choices[0]?.action, 7);
  assert.equal(targetAt(here, targetsOf(here), { x: x + 60, y }), null);
  assert.deepEqual(sourceAt(held, [[3, 1]], centre(held, [3, 1])), [3, 1]);
  assert.equal(sourceAt(held, [[3, 1]], centre(held, [2, 1])), null);
});

test("a cell is named by its place, and a heap by its number", () => {
  const seeds = { pieces: [piece("seed", 0, 0, null), piece("seed", 0, 0, null)], labels: [{ at: [0, 0] as [number, number], text: "x2" }] };
  assert.equal(reading({ ...stores, ...seeds }, [0, 0], 0), "left store, 2 seeds, x2");
  assert.equal(reading(held, [3, 1], 0), "place 2 of the tray below, your 2 pawns, can move");
  assert.equal(reading(held, [-1, 0], 0), "place 1 of the tray above, opponent's rook");
  assert.equal(cellName(stores, [1, 1]), "row 2, column 2");
  const stack = board({ stacked: true, pieces: [piece("disc", 0, 0), piece("disc", 0, 0), piece("disc", 0, 0, 1)] });
  assert.equal(reading(stack, [0, 0], null), "a3, 2 discs of player 1, disc of player 2", "from the bottom");
});

test("a wall of a hexagon is read from both of its cells, and announced by its side", () => {
  const wall = board({ ...rhombus, edges: [{ at: [2, 1], side: "top-left", owner: 0 }, { at: [2, 1], side: "bottom-left", owner: 0 }] });
  assert.equal(reading(wall, [2, 1], null), "row 3, column 2, empty, wall on the bottom left and on the top left");
  assert.equal(reading(wall, [1, 1], null), "row 2, column 2, empty, wall on the bottom right");
  assert.equal(reading(wall, [3, 0], null), "row 4, column 1, empty, wall on the top right");
  assert.equal(reading(wall, [3, 1], null), "row 4, column 2, empty");
  assert.deepEqual(changes(rhombus, wall).words, ["wall on the top left of row 3, column 2", "wall on the bottom left of row 3, column 2"]);
});

test("seeds that are sown are announced once for each cell", () => {
  const seed = (column: number) => piece("seed", 0, column, null);
  const before = { ...stores, pieces: [seed(1), seed(1), seed(1)] };
  const { words, moved } = changes(before, { ...stores, pieces: [seed(2), seed(3), seed(3)] });
  assert.deepEqual(words, ["seed to row 1, column 3", "seed to row 1, column 4"]);
  assert.equal(moved, 3);
});

test("turning any board twice gives the original, and keeps its shape", () => {
  for (const [name, here] of Object.entries(all)) {
    const other = turned(here);
    assert.deepEqual(turned(other), here, name);
    const [first, second] = [layoutOf(here), layoutOf(other)];
    assert.deepEqual([second.left, second.right, second.top, second.bottom].map(Math.round), [first.left, first.right, first.top, first.bottom].map(Math.round), name);
    for (const at of allCells(here)) assert.ok(second.byCell.has(String(at)) || here.cells.length, name);
  }
  const wall = board({ ...rhombus, edges: [{ at: [0, 1], side: "top-left", owner: 0 }, { at: [2, 0], side: "right", owner: 1 }] });
  assert.deepEqual(turned(wall).edges.map(({ side, at }) => [side, ...at]), [["bottom-right", 4, 3], ["left", 2, 4]]);
  assert.deepEqual(turned(held).pieces.map(({ at }) => at), [[-1, 1], [-1, 1], [3, 0]], "the trays change places");
});

test("a larger cell is drawn and clicked in its whole size", () => {
  const { height } = spotOf(stores, [0, 0]);
  assert.equal(height, 200);
  assert.deepEqual(cellAt(stores, { x: 50, y: 190 }), [0, 0]);
});

test("both sides have the colours that the board names", () => {
  const style = sidesOf(board({ paints: ["black", "white"] }));
  assert.equal(style["--p0"], "var(--black)");
  assert.equal(style["--p1-deep"], "var(--white-deep)");
});
