// Default values for a game's state, without offers, clocks or spectators; for replays.
import type { GameState } from "../api.gen.ts";

export const QUIET = {
  type: "state",
  rated: false,
  timeClass: "unlimited",
  staged: 0,
  evaluation: null,
  thinking: false,
  clock: null,
  offers: [],
  canUndo: false,
  canTakeback: false,
  canAbort: false,
  claimIn: null,
  stalled: null,
  score: [0, 0],
  rematch: null,
  spectators: 0,
  sides: ["First", "Second"],
  terms: [],
  ending: "",
  ratingChanges: null,
  withEvaluation: false,
  evaluating: 0,
  mayEvaluate: true,
  mayHint: true,
} satisfies Partial<GameState>;
