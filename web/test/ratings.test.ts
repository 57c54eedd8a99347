import assert from "node:assert/strict";
import { test } from "node:test";
import type { CatalogueGame, Choices } from "../src/api.gen.ts";
import { countWords, pathOf, pathOfList, ratedGames, ratedWords, speedWord } from "../src/ratings/words.ts";
import { board } from "./boards.ts";

const names = { "go:standard": "Go", "wallgame:standard": "Wall Game", "wallgame:classic": "Wall Game", "gomoku:freestyle": "Gomoku", "chess:standard": "Chess" };
const entries = Object.entries(names).map(([rated, title]): CatalogueGame => {
  const [game = "", variant = ""] = rated.split(":");
  return { spec: rated, game, variant, title, boardWidth: 9, boardHeight: 9, summary: "", board: board(), players: ["First", "Second"], arranges: false, bots: [] };
});
const choice = (game: string, variants: [string, string][], swap: Choices["switch"] = null): Choices => ({
  game,
  variants: variants.map(([value, name]) => ({ value, name })),
  sizes: [],
  setup: [],
  players: ["Black", "White"],
  switch: swap,
});
const choices = [
  choice("go", [["standard", "Tromp-Taylor"], ["aga", "AGA"]]),
  choice("gomoku", [["freestyle", "Freestyle"], ["renju", "Renju"]], { value: "swap2", name: "Swap2", players: ["First", "Second"] }),
  choice("chess", [["standard", "Standard"], ["960", "Chess960"]]),
];
const known = { entries, choices };

test("rated games have the names that players use", () => {
  const words = (rated: string) => ratedWords(known, rated);
  assert.equal(words("wallgame:standard"), "Wall Game");
  assert.equal(words("wallgame:classic"), "Wall Game classic");
  assert.equal(words("go:aga"), "Go AGA");
  assert.equal(words("chess:960"), "Chess960");
  assert.equal(words("gomoku:renju-swap2"), "Gomoku Renju with Swap2");
  assert.equal(words("gomoku:freestyle-swap2"), "Gomoku with Swap2");
  assert.equal(ratedWords({ entries: null, choices: [] }, "othello:standard"), "Othello");
});

test("the list of rated games holds the catalogue's games and all others with ratings", () => {
  const games = ratedGames(known, ["gomoku:renju-swap2", "go:aga"]);
  assert.deepEqual(games, [
    "go:standard", "go:aga", "wallgame:standard", "wallgame:classic", "gomoku:freestyle", "gomoku:renju", "chess:standard", "chess:960", "gomoku:renju-swap2",
  ]);
});

test("time classes and counts of games are written in words", () => {
  assert.equal(speedWord("unlimited"), "No clock");
  assert.equal(speedWord("blitz"), "Blitz");
  assert.equal(countWords({ games: 1, wins: 0, draws: 1, losses: 0 }), "1 game: 0 won, 1 drawn, 0 lost");
  assert.equal(countWords({ games: 12, wins: 7, draws: 1, losses: 4 }), "12 games: 7 won, 1 drawn, 4 lost");
});

test("special characters in names and games are escaped in addresses", () => {
  assert.equal(pathOf("Zoë"), "/people/Zo%C3%AB");
  assert.equal(pathOfList("wallgame:classic", "blitz"), "/ratings?game=wallgame%3Aclassic&timeClass=blitz");
});
