// States of a game for tests.
import type { GameState } from "../src/api.gen.ts";
import { board } from "./boards.ts";

export function state(changes: Partial<GameState> = {}): GameState {
  return {
    type: "state",
    id: "abc",
    spec: "wallgame:classic:5x5",
    game: "wallgame",
    variant: "classic",
    title: "Wall Game",
    kind: "bot",
    players: [{ name: "Guest", kind: "person", connected: true }, { name: "Wally", kind: "bot", connected: true }],
    you: 0,
    toPlay: 0,
    ply: 0,
    staged: 0,
    board: board(),
    moves: [],
    evaluation: null,
    evaluations: [null],
    thinking: false,
    clock: null,
    offers: [],
    canUndo: false,
    canTakeback: false,
    canAbort: false,
    claimIn: null,
    score: [0, 0],
    rematch: null,
    spectators: 0,
    status: "playing",
    result: null,
    ...changes,
  };
}
