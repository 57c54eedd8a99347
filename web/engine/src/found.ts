// What callers ask of the engine and what it answers.

export interface Position {
  /** A game of the manifest. */
  game: string;
  /** The actions played from the start. */
  actions: readonly number[];
  /** The words of the state to start from, as base64; empty: the game's start. */
  start?: string;
}

/**
 * Limits of a search, which ends at the first limit that it reaches, after at least 2 visits. Without `visits` and `seconds`, the machine's budget limits it.
 */
export interface Limits {
  /** Visits of the root, including those that the kept subtree already has. */
  visits?: number;
  /** Seconds since the call. */
  seconds?: number;
  /** Candidates to return with their main line; default 1. */
  lines?: number;
  /** 0 chooses the best action; else the action is drawn by visits^(1/temperature). */
  temperature?: number;
  /** Additional seconds if the search is unsure: the most visited action is not the best, or the value falls. */
  extension?: number;
  /** Whether to go on when the tree is full: nodes with few visits then lose their children. */
  prunes?: boolean;
  /** Whether to end early once no other action can become the most visited one. */
  mayStop?: boolean;
  /** Legal actions to consider; default: all. */
  only?: readonly number[];
  /** Actions to visit at least once, the best by prior. */
  breadth?: number;
  /** Seconds between two updates; default 0.25. */
  every?: number;
}

/** A visited action of the root. */
export interface Line {
  action: number;
  /** Main line that begins with this action; empty beyond the number of lines asked for. */
  actions: number[];
  visits: number;
  /** Mean value, seen by player 0: 1 = player 0 wins, -1 = player 1 wins. */
  value: number;
  /** Probability of a draw. */
  draw: number;
  /** Prior probability by the network. */
  prior: number;
  /** Code of the proved outcome (1: player 0 wins, 2: player 1 wins, 3: draw), else 0. */
  proof: number;
  /** Within how many of its own moves the side with a proved win wins, for candidates with a main line; 0: unknown. */
  winsIn: number;
}

export interface Found {
  /** The first action of the answer. */
  action: number;
  /** The actions of the best move, until the turn passes; a short main line may leave it incomplete. */
  best: number[];
  /** Value of the position, seen by player 0. */
  value: number;
  draw: number;
  visits: number;
  /** Visits that the root had when the search began. */
  kept: number;
  /** Code of the proved outcome under best play, else 0. */
  proof: number;
  /** Seconds since the call. */
  seconds: number;
  /** The visited actions of the root, most visits first. */
  lines: Line[];
}
