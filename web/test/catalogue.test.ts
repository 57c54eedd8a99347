import assert from "node:assert/strict";
import { test } from "node:test";
import type { CatalogueGame, Choices, StudyView } from "../src/api.gen.ts";
import { beyond, choosesColours, current, entryFor, nearestWithBot, pairOf, rulesWords, sizesOf, variantsOf } from "../src/catalogue.ts";
import { board } from "./boards.ts";

function entry(spec: string, side: number): CatalogueGame {
  const bots = [{ id: "c:b", name: "Bo", level: "", rank: 1, official: true, private: false, strength: "", strengthSource: "", appearance: {} }];
  const shown = { title: "Go", summary: "", board: board(), players: ["Black", "White"] as [string, string], arranges: true };
  return { spec, game: "go", variant: "standard", boardWidth: side, boardHeight: side, bots, ...shown };
}

function view(game: string, side: number, variant = "standard"): StudyView {
  const line = { toPlay: 0, ply: 0, actions: [], moves: [], result: null, players: ["Black", "White"] as [string, string], setup: null };
  return { game, variant, board: board({ rows: side, columns: side }), ...line };
}

test("a position is matched to the entry with its board size, whatever the form of its spec", () => {
  const entries = [entry("go:9x9", 9), entry("go:13x13", 13)];
  for (const spec of ["go:13x13", "go:standard:13x13", "go:13x13:marking"]) {
    assert.equal(entryFor(entries, [], spec, view("go", 13)), entries[1]);
  }
});

test("a position on a board that is not in the catalogue gets an entry without bots", () => {
  const entries = [entry("go:9x9", 9)];
  const found = entryFor(entries, [], "go:19x19", view("go", 19));
  assert.deepEqual(found, { ...entries[0], spec: "go:19x19", boardWidth: 19, boardHeight: 19, bots: [] });
  assert.equal(entryFor(entries, [], "go:9x9:aga", view("go", 9, "aga"))?.variant, "aga");
  assert.equal(entryFor(entries, [], "chess", view("chess", 8)), undefined);
});

test("bots that come while a board without one is chosen are offered at once", () => {
  const before = [entry("go:9x9", 9)];
  const made = beyond(entry("go:9x9", 9), [], { spec: "go:standard:13x13", game: "go", variant: "standard", boardWidth: 13, boardHeight: 13 });
  assert.equal(current(before, made), made);
  const after = [...before, entry("go:13x13", 13)];
  assert.equal(current(after, made), after[1]);
  assert.equal(current(after, { ...made, variant: "aga" }).bots.length, 0);
});

test("in openings where players choose their colours, seats have no colour", () => {
  const swap2 = { value: "swap2", name: "Swap2", players: ["First", "Second"] as [string, string] };
  const known: Choices = { game: "gomoku", variants: [], sizes: [], setup: [], players: ["Black", "White"], switch: swap2 };
  const usual = { ...entry("gomoku:freestyle:15x15", 15), game: "gomoku", variant: "freestyle" };
  const wish = (variant: string) => ({ spec: `gomoku:${variant}:9x9`, game: "gomoku", variant, boardWidth: 9, boardHeight: 9 });
  const open = beyond(usual, [known], wish("freestyle-swap2"));
  assert.deepEqual([open.players, open.board.colours], [["First", "Second"], [null, null]]);
  const back = beyond(open, [known], wish("renju"));
  assert.deepEqual([back.players, back.board.colours], [["Black", "White"], [0, 1]]);
  assert.deepEqual([open, back].map((one) => choosesColours([known], one)), [true, false]);
  assert.ok(!choosesColours([], open));
});

test("a match of two bots uses the chosen ones, and the strongest in place of absent ones", () => {
  const bot = (id: string, rank: number) => ({ id, name: id, level: "", rank, official: true, private: false });
  const bots = [bot("pip", 1), bot("wally", 3), bot("otto", 2)];
  const names = (ids: [string, string], of = bots) => pairOf(of, ids)?.map(({ id }) => id) ?? null;
  assert.deepEqual(names(["", ""]), ["wally", "otto"]);
  assert.deepEqual(names(["pip", "pip"]), ["pip", "pip"]);
  assert.deepEqual(names(["gone", "pip"]), ["wally", "pip"]);
  assert.deepEqual(names(["", ""], [bot("alone", 1)]), ["alone", "alone"]);
  assert.equal(names(["pip", "otto"], []), null);
});

const gomoku: Choices = {
  game: "gomoku",
  variants: [{ value: "freestyle", name: "Freestyle" }, { value: "renju", name: "Renju" }],
  sizes: [[9, 9], [13, 13], [15, 15], [19, 19]],
  setup: [],
  players: ["Black", "White"],
  switch: { value: "swap2", name: "Swap2", players: ["First", "Second"] },
};

test("lists have every board and every rule of a game, also those that no bot plays", () => {
  const entries = [{ ...entry("gomoku:15x15", 15), game: "gomoku", title: "Gomoku", variant: "freestyle" }, entry("go:5x5", 5)];
  const offered = { entries, choices: [gomoku] };
  assert.deepEqual(sizesOf(offered, "gomoku"), ["9x9", "13x13", "15x15", "19x19"]);
  assert.deepEqual(sizesOf(offered, ""), ["5x5", "9x9", "13x13", "15x15", "19x19"]);
  assert.deepEqual(variantsOf(offered, "gomoku"), {
    freestyle: "Gomoku",
    renju: "Gomoku Renju",
    "freestyle-swap2": "Gomoku with Swap2",
    "renju-swap2": "Gomoku Renju with Swap2",
  });
  assert.equal(rulesWords(offered, { game: "gomoku", variant: "freestyle-swap2" }), "Gomoku with Swap2");
});

test("the board to play instead has a bot, the same rules if possible, and the nearest size", () => {
  const without = { ...entry("go:13x13", 13), bots: [] };
  const other = { ...entry("go:13x13:aga", 13), variant: "aga" };
  const entries = [entry("go:5x5", 5), entry("go:9x9", 9), without, other];
  assert.equal(nearestWithBot(entries, { ...entry("go:19x19", 19) })?.spec, "go:9x9");
  assert.equal(nearestWithBot([without, other], without)?.spec, "go:13x13:aga");
  assert.equal(nearestWithBot([without], without), null);
});
