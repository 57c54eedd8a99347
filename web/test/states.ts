// States of a game for tests.
import type { GameState } from "../src/api.gen.ts";
import { board } from "./boards.ts";

export function state(changes: Partial<GameState> = {}): GameState {
  return {
    type: "state",
    spec: "wallgame:classic:5x5",
    title: "Wall Game",
    players: [{ name: "Guest", bot: false }, { name: "Wally", bot: true }],
    you: 0,
    toPlay: 0,
    ply: 0,
    staged: 0,
    board: board(),
    moves: [],
    evaluation: null,
    evaluations: [null],
    thinking: false,
    canUndo: false,
    status: "playing",
    result: null,
    ...changes,
  };
}
