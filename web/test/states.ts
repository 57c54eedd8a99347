// States of a game for tests.
import type { GameState } from "../src/api.gen.ts";
import { QUIET } from "../src/game/quiet.ts";
import { board } from "./boards.ts";

export function state(changes: Partial<GameState> = {}): GameState {
  return {
    ...QUIET,
    id: "abc",
    spec: "wallgame:classic:5x5",
    game: "wallgame",
    variant: "classic",
    title: "Wall Game",
    kind: "bot",
    players: [{ name: "Guest", kind: "person", connected: true, appearance: {} }, { name: "Wally", kind: "bot", connected: true, appearance: {} }],
    you: 0,
    toPlay: 0,
    ply: 0,
    board: board(),
    moves: [],
    evaluations: [null],
    status: "playing",
    result: null,
    ...changes,
  };
}
