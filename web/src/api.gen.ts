// Written by tools/page_types.py from the Python structs; do not edit.

/** One action on the board. */
export interface Act {
  type: "act";
  action: number;
  ply: number;
}

/** Everything that a page needs to draw one position and to turn clicks into actions. */
export interface Board {
  rows: number;
  columns: number;
  style: string;
  pieces: Piece[];
  edges: Edge[];
  marks: Mark[];
  choices: Choice[];
  column_labels: string[];
  row_labels: string[];
  captured: Captured[];
  opposite: boolean;
}

/** Pieces of one shape that a player has taken off the board. */
export interface Captured {
  by: number;
  shape: string;
  owner: number | null;
  count: number;
}

/** The answer to `GET /api/catalogue`. */
export interface Catalogue {
  games: CatalogueGame[];
}

/** A bot that plays a game. */
export interface CatalogueBot {
  id: string;
  name: string;
  level: string;
  rank: number;
}

/** A game that somebody here plays. */
export interface CatalogueGame {
  spec: string;
  game: string;
  title: string;
  variant: string;
  size: string;
  summary: string;
  board: Board;
  bots: CatalogueBot[];
}

/** One legal action and where a person clicks for it. */
export interface Choice {
  action: number;
  text: string;
  kind: string;
  at: [number, number] | null;
  source: [number, number] | null;
  label: string | null;
}

/** A wall on the right side or on the top side of a cell. */
export interface Edge {
  at: [number, number];
  side: string;
  owner: number | null;
}

/** One sentence for the person at the page. */
export interface ErrorMessage {
  type: "error";
  message: string;
}

/** The answer to a request that cannot be served. */
export interface Fault {
  error: string;
}

/** Everything that a page shows of a game, sent after every change. */
export interface GameState {
  type: "state";
  spec: string;
  title: string;
  players: [PlayerInfo, PlayerInfo];
  you: number | null;
  toPlay: number;
  ply: number;
  staged: number;
  board: Board;
  moves: MoveInfo[];
  evaluation: number | null;
  evaluations: (number | null)[];
  thinking: boolean;
  canUndo: boolean;
  status: "over" | "playing";
  result: Result | null;
}

/** The answer to `GET /api/lessons/{game}`. */
export interface Lesson {
  game: string;
  title: string;
  summary: string;
  parts: Part[];
}

/** A lesson in the list. */
export interface LessonTitle {
  game: string;
  title: string;
  summary: string;
  view: StudyView;
}

/** The answer to `GET /api/lessons`. */
export interface Lessons {
  lessons: LessonTitle[];
}

/** `POST /api/study`: moves in notation, and then actions, from a game's start or from `setup`. */
export interface Line {
  spec: string;
  setup: Record<string, unknown> | string | null;
  moves: string[];
  actions: number[];
}

/** A highlighted cell. */
export interface Mark {
  at: [number, number];
  kind: string;
}

/** A move in the list; the last one may be unfinished. */
export interface MoveInfo {
  text: string;
  player: number;
  ply: number;
}

/** `POST /api/games`: a guest wants to play a bot. */
export interface NewGame {
  spec: string;
  bot: string;
  side: number | null;
}

/** One thing to learn, and a position to try it in. */
export interface Part {
  title: string;
  text: string;
  spec: string;
  setup: Record<string, unknown> | null;
  before: string[];
  goal: string;
  view: StudyView;
}

/** A piece on a cell. */
export interface Piece {
  at: [number, number];
  shape: string;
  owner: number | null;
}

/** Who sits on one side. */
export interface PlayerInfo {
  name: string;
  bot: boolean;
}

/** The answer to `GET /api/games/{id}/plies/{n}`. */
export interface PlyView {
  board: Board;
  evaluation: number | null;
}

/** Another game with sides swapped. */
export interface Rematch {
  type: "rematch";
}

/** The next game and the secret of your seat in it. */
export interface RematchMessage {
  type: "rematch";
  id: string;
  token: string;
}

/** Give up. */
export interface Resign {
  type: "resign";
}

/** How a game ended. */
export interface Result {
  winner: number | null;
  reason: string;
}

/** The answer to `POST /api/games`. */
export interface Seat {
  id: string;
  token: string;
}

/** A position to look at and to go on from. */
export interface StudyView {
  board: Board;
  toPlay: number;
  ply: number;
  actions: number[];
  moves: MoveInfo[];
  result: Result | null;
}

/** Take back the action made in this move, or the last move and the bot's answer. */
export interface Undo {
  type: "undo";
}
