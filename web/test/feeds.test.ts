import assert from "node:assert/strict";
import { test } from "node:test";
import { after, timeWords } from "../src/feeds.ts";
import type { LiveSummary } from "../src/api.gen.ts";
import { bestAt, byPly, heard, stillTrue } from "../src/game/use-evaluation.ts";
import { state } from "./states.ts";

const timeControl = { initialSeconds: 86_400, incrementSeconds: 0 };
const live = (id: string, moveCount = 0): LiveSummary => ({
  ...{ id, game: "wallgame", variant: "classic", boardWidth: 5, boardHeight: 5, players: [], moveCount, spectatorCount: 0 },
  ...{ rated: false, timeControl, status: "ready", averageElo: 1500, lastMoveAt: 0 },
});

test("the list of live games applies snapshot, upsert and remove messages", () => {
  let games = after([], { type: "snapshot", games: [live("a")] });
  games = after(games, { type: "upsert", game: live("b") });
  games = after(games, { type: "upsert", game: live("a", 3) });
  assert.deepEqual(games.map((game) => [game.id, game.moveCount]), [["b", 0], ["a", 3]]);
  assert.deepEqual(after(games, { type: "remove", gameId: "b" }).map((game) => game.id), ["a"]);
  assert.equal(after(games, { type: "other" } as never), games); // a newer site's
});

test("a time control is written in minutes and seconds", () => {
  assert.equal(timeWords({ initialSeconds: 180, incrementSeconds: 2 }), "3 + 2");
  assert.equal(timeWords(timeControl), "no clock");
});

test("a takeback drops the evaluations of the positions taken back", () => {
  const moves = ["a", "b", "c"].map((text, index) => ({ text, player: index % 2, ply: index + 1, clocks: null }));
  const entries = [0, 1, 2, 3].map((ply) => ({ ply, evaluation: 0.1 * ply, bestMove: "" }));
  const known = heard({ entries: new Map(), words: "" }, { type: "eval-history", entries });
  const left = (now: typeof moves) => [...stillTrue(known, moves, now).entries.keys()];
  assert.deepEqual(left(moves.slice(0, 1)), [0, 1]);
  assert.deepEqual(left(moves.map((move, index) => (index === 1 ? { ...move, text: "d" } : move))), [0, 1]);
  assert.deepEqual(left([]), [0]);
  assert.equal(stillTrue(known, moves, moves), known);
  assert.equal(stillTrue(known, moves.slice(0, 2), moves), known);
});

test("evaluations by move number are converted to evaluations by ply", () => {
  const moves = [{ text: "a", player: 0, ply: 2, clocks: null }, { text: "b", player: 1, ply: 4, clocks: null }];
  const game = state({ moves, ply: 5, evaluations: [0.1] });
  const entry = (ply: number, evaluation: number) => ({ ply, evaluation, bestMove: `best ${ply}`, winsIn: 7 });
  const nothing = { entries: new Map(), words: "" };
  let known = heard(nothing, { type: "eval-history", entries: [entry(0, 0), entry(1, 0.5)] });
  known = heard(known, { type: "eval-update", ...entry(2, -0.5) });
  assert.deepEqual(byPly(game, known), [0, null, 0.5, null, -0.5, null]);
  assert.equal(bestAt(game, known, 0).bestMove, "best 0");
  assert.deepEqual(bestAt(game, known, 4), { bestMove: "best 2", winsIn: 7 });
  assert.equal(bestAt(game, known, 3).bestMove, "");
  assert.deepEqual(byPly(game, nothing), [0.1, null, null, null, null, null]);
  const refused = heard(known, { type: "eval-handshake-rejected", code: "NO_BOT", message: "No bot is here." });
  assert.equal(refused.words, "No bot is here.");
  assert.equal(refused.entries, known.entries);
  assert.deepEqual(heard(refused, { type: "eval-handshake-accepted" }), { entries: known.entries, words: "" });
});
