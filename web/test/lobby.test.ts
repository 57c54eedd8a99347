import assert from "node:assert/strict";
import { test } from "node:test";
import type { PoolEntry, Snapshot } from "../src/api.gen.ts";
import { ANY, poolTimes, timesOf, wishFor } from "../src/lobby/boards.ts";
import { offersFor, othersIn } from "../src/landing/offers.ts";

const clock = { initialSeconds: 300, incrementSeconds: 3 };
const none = { initialSeconds: 86_400, incrementSeconds: 0 };
const seat = (id: string, game: string, rated = false, connected = true): Snapshot => ({
  ...{ id, status: "waiting", matchType: "matchmaking", createdAt: 0, updatedAt: 0, matchScore: { 1: 0, 2: 0 } },
  config: { game, variant: "standard", boardWidth: 5, boardHeight: 5, rated, timeControl: clock },
  players: [{ playerId: 1, displayName: "Ann", role: "host", connected, ready: true, configType: "human", appearance: {} }],
});
const entry = (game: string, people = 1, timeControls = [clock]): PoolEntry => ({ game, variant: "standard", boardWidth: 5, boardHeight: 5, rated: false, timeControls, people });
const guest = { account: false, game: "a", isMine: () => false, wish: null };
const shown = (offers: ReturnType<typeof offersFor>) => offers.map((offer) => ("seat" in offer ? offer.seat.id : offer.entry.game));

test("people in the usual game are offered first, those in open seats before others", () => {
  const lobby = { seats: [seat("1", "b"), seat("2", "a")], waiting: [entry("a"), entry("c")] };
  assert.deepEqual(shown(offersFor(lobby, guest)), ["2", "a", "1", "c"]);
});

test("seats that cannot be taken are not offered", () => {
  const lobby = { seats: [seat("mine", "a"), seat("rated", "a", true), seat("left", "a", false, false)], waiting: [] };
  const mine = (id: string) => id === "mine";
  assert.deepEqual(shown(offersFor(lobby, { ...guest, isMine: mine })), []);
  assert.deepEqual(shown(offersFor(lobby, { ...guest, isMine: mine, account: true })), ["rated"]);
});

test("one's own wait is no offer", () => {
  const both = entry("a", 2, [clock, none]);
  const wish = wishFor(both);
  assert.deepEqual(wish.times, [clock, null]);
  assert.deepEqual(othersIn([both], wish).map(({ people }) => people), [1]);
  assert.deepEqual(othersIn([entry("a", 1, [clock, none]), entry("a", 1, [none])], wish).map(({ timeControls }) => timeControls.length), [1]);
});

test("accepted times are written as a list", () => {
  assert.equal(poolTimes([clock]), "5 + 3");
  assert.equal(poolTimes([clock, none]), "5 + 3 or no clock");
  assert.equal(poolTimes(timesOf(ANY).map((time) => time ?? none)), "any time");
});
