// Written by tools/page_types.py from the Python structs; do not edit.

/** Call off a game that has hardly begun. */
export interface Abort {
  type: "abort";
}

/** Agree to what the other side offers. */
export interface Accept {
  type: "accept";
  what: "draw" | "takeback" | "rematch";
}

/** One action on the board. */
export interface Act {
  type: "act";
  action: number;
  ply: number;
}

/** `POST /api/study/arrange`: what somebody has put together. */
export interface Arrangement {
  spec: string;
  setup?: Record<string, unknown> | string | null;
  pieces: PutPiece[];
  edges?: PutEdge[];
  toPlay?: 0 | 1;
  switches?: string[];
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
  note: string;
  opposite: boolean;
  colours: [number | null, number | null];
  next_colour: number | null;
}

/** Which game on which board. */
export interface BoardConfig {
  game?: string;
  variant?: string;
  boardWidth: number;
  boardHeight: number;
  setup?: Record<string, unknown> | string | null;
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
  choices: Choices[];
}

/** A bot that plays a game. */
export interface CatalogueBot {
  id: string;
  name: string;
  level: string;
  rank: number;
  official: boolean;
  private: boolean;
}

/** A game that can be played here. */
export interface CatalogueGame {
  spec: string;
  game: string;
  title: string;
  variant: string;
  boardWidth: number;
  boardHeight: number;
  summary: string;
  board: Board;
  players: [string, string];
  arranges: boolean;
  bots: CatalogueBot[];
}

/** Say something to everybody at the table. */
export interface Chat {
  type: "chat";
  text: string;
}

/** Somebody says something. */
export interface ChatMessage {
  type: "chat";
  text: string;
  name: string;
  side: number | null;
  at: number;
}

/** One legal action and where a person clicks for it. */
export interface Choice {
  action: number;
  text: string;
  kind: string;
  at: [number, number] | null;
  source: [number, number] | null;
  label: string | null;
  move: string | null;
}

/** What can be chosen of one game. */
export interface Choices {
  game: string;
  variants: Named[];
  sizes: [number, number][];
  setup: SetupField[];
  players: [string, string];
  switch: Switch | null;
}

/** End a game that the other side has left. */
export interface ClaimGame {
  type: "claim";
  what: "win" | "draw";
}

/** The clocks at the moment of the message, in milliseconds. */
export interface ClockInfo {
  left: [number, number];
  running: number | null;
  initial: number;
  increment: number;
}

/** Refuse what the other side offers, or withdraw one's own offer. */
export interface Decline {
  type: "decline";
  what: "draw" | "takeback" | "rematch";
}

/** Side `by` said no. */
export interface DeclinedMessage {
  type: "declined";
  what: "draw" | "rematch" | "takeback";
  by: number;
}

/** A wall on the right side or on the top side of a cell. */
export interface Edge {
  at: [number, number];
  side: string;
  owner: number | null;
}

/** What was asked is refused; nothing has changed. */
export interface ErrorMessage {
  type: "error";
  message: string;
}

/** The answer to a request that cannot be served. */
export interface Fault {
  error: string;
}

/** The game, and how it is played. */
export interface GameConfig {
  game?: string;
  variant?: string;
  boardWidth: number;
  boardHeight: number;
  setup?: Record<string, unknown> | string | null;
  timeControl?: Timing | null;
  rated?: boolean;
}

/** Everything that a page shows of a game, sent after every change. */
export interface GameState {
  type: "state";
  id: string;
  spec: string;
  game: string;
  variant: string;
  title: string;
  kind: "bot" | "friend" | "lobby";
  rated: boolean;
  timeClass: string;
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
  status: "over" | "playing" | "waiting";
  result: TableResult | null;
  clock: ClockInfo | null;
  offers: OfferInfo[];
  canUndo: boolean;
  canTakeback: boolean;
  canAbort: boolean;
  claimIn: number | null;
  score: [number, number];
  rematch: string | null;
  spectators: number;
}

/** What a list says of a game. */
export interface GameSummary {
  id: string | null;
  spec: string;
  game: string;
  variant: string;
  size: string;
  title: string;
  players: [ReplayPlayer, ReplayPlayer];
  winner: number | null;
  reason: string;
  rated: boolean;
  timeClass: string | null;
  started: number | null;
  finished: number | null;
  numMoves: number;
}

/** Add to the other side's clock. */
export interface GiveTime {
  type: "give-time";
  seconds: number;
}

/** `POST /api/games/ID/join`: a person wants to sit down. */
export interface JoinGame {
  displayName?: string;
  appearance?: Record<string, string>;
}

/** The answer to `POST /api/study/kit`: the position to begin with, and all that can be changed of it. */
export interface Kit {
  board: Board;
  kinds: PieceKind[];
  edges: string[];
  toPlay: number;
  movers: Named[];
  switches: Named[];
  on: string[];
}

/** The answer to `GET /api/lessons/{game}`. */
export interface Lesson {
  game: string;
  title: string;
  summary: string;
  parts: LessonPart[];
}

/** One thing to learn, and a position to try it in. */
export interface LessonPart {
  title: string;
  text: string;
  spec: string;
  setup: Record<string, unknown> | null;
  before: string[];
  goal: string;
  view: StudyView;
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

/** The answer to `POST /api/study/evaluation`. */
export interface LineEvaluation {
  evaluation: number;
  bestMove: string;
  lines: LineInfo[];
  ownership: number[][];
  bot: string;
}

/** What would be played. */
export interface LineInfo {
  moves: MoveInfo[];
  actions: number[];
  evaluation: number;
  visits: number;
}

/** Ask the other side. */
export interface MakeOffer {
  type: "offer";
  what: "draw" | "takeback" | "rematch";
}

/** A highlighted cell. */
export interface Mark {
  at: [number, number];
  kind: string;
}

/** `POST /api/bots/match`: bot against bot, the first to move first. */
export interface MatchBots {
  botIds: string[];
  config: BoardConfig;
}

/** The answer about oneself. */
export interface Me {
  name: string;
  account: boolean;
  settings: Record<string, unknown>;
  ratings: RatingInfo[];
}

/** A move in the list; the last one may be unfinished. */
export interface MoveInfo {
  text: string;
  player: number;
  ply: number;
  clocks: [number, number] | null;
}

/** Something to choose, and what it is called. */
export interface Named {
  value: string;
  name: string;
}

/** Something that concerns the game, in a sentence. */
export interface NoticeMessage {
  type: "notice";
  message: string;
}

/** What one side asks of the other. */
export interface OfferInfo {
  what: "draw" | "rematch" | "takeback";
  by: number;
}

/** `POST /api/games`: a person wants to play another. */
export interface OpenGame {
  config: GameConfig;
  matchType?: "friend" | "matchmaking";
  hostDisplayName?: string;
  hostAppearance?: Record<string, string>;
  hostIsPlayer1?: boolean | null;
}

/** A game that is not over, as a list shows it to somebody who sits there. */
export interface OwnGame {
  id: string;
  game: string;
  variant: string;
  boardWidth: number;
  boardHeight: number;
  rated: boolean;
  status: "playing" | "waiting";
  opponent: string | null;
  you: number;
  toPlay: number | null;
  numMoves: number;
}

/** The games that somebody has not finished, the newest first. */
export interface OwnGames {
  games: OwnGame[];
}

/** A piece on a cell. */
export interface Piece {
  at: [number, number];
  shape: string;
  owner: number | null;
}

/** A piece that may be put on the board. */
export interface PieceKind {
  shape: string;
  owner: number | null;
  name: string;
  single: boolean;
}

/** `POST /api/bots/play`: a person wants to play a bot, without clocks. */
export interface PlayBot {
  botId: string;
  config: BoardConfig;
  hostDisplayName?: string;
  hostAppearance?: Record<string, string>;
  hostIsPlayer1?: boolean | null;
}

/** Is the site there? */
export interface PlayPing {
  type: "ping";
}

/** Who sits on one side. */
export interface PlayerInfo {
  name: string;
  kind: "bot" | "open" | "person";
  connected: boolean;
}

/** The answer to `GET /api/games/{id}/plies/{n}`. */
export interface PlyView {
  board: Board;
  evaluation: number | null;
}

/** The answer to `ping`. */
export interface PongMessage {
  type: "pong";
}

/** A wall that was put on a side of a cell. */
export interface PutEdge {
  at: [number, number];
  side: "right" | "top";
  owner?: 0 | 1 | null;
}

/** A piece that was put on a cell. */
export interface PutPiece {
  at: [number, number];
  shape: string;
  owner: 0 | 1 | null;
}

/** A game in the list of those that there are puzzles of. */
export interface PuzzleGame {
  game: string;
  title: string;
  puzzles: string[];
  view: StudyView;
}

/** The answer to `GET /api/puzzles`. */
export interface PuzzleGames {
  games: PuzzleGame[];
}

/** A puzzle without its solution: the answer to `GET /api/puzzles/{game}/{id}`. */
export interface PuzzleView {
  id: string;
  title: string;
  rules: string;
  spec: string;
  setup: Record<string, unknown> | string | null;
  before: string[];
  player: number;
  goal: "draw" | "good" | "win";
  right: number;
  view: StudyView;
}

/** A rating as people see it. */
export interface RatingInfo {
  name: string;
  game: string;
  timeClass: string;
  rating: number;
  deviation: number;
  games: number;
  wins: number;
  draws: number;
  losses: number;
  provisional: boolean;
}

/** A game at a speed at which somebody is rated. */
export interface RatingList {
  game: string;
  timeClass: string;
  people: number;
}

/** The next game is open, with sides swapped; the token of this one is good there. */
export interface RematchMessage {
  type: "rematch";
  id: string;
}

/** A finished game to click through. */
export interface Replay {
  game: GameSummary;
  moves: ReplayMove[];
  plies: number;
  evaluations: (number | null)[];
  setup: Record<string, unknown> | string | null;
}

/** A move of a finished game. */
export interface ReplayMove {
  text: string;
  player: number;
  ply: number;
  timeLeft: [number | null, number | null] | null;
}

/** A player of a finished game. */
export interface ReplayPlayer {
  name: string;
  kind: string;
  rating: number | null;
}

/** Give up. */
export interface Resign {
  type: "resign";
}

/** A part of the first position, as `Game.start` takes it: `{key: value}`. */
export interface SetupField {
  key: string;
  title: string;
  kind: "choice" | "lot" | "number" | "text";
  values: string[];
  hint: string;
  most: number;
  variants: string[];
}

/** The answer to `GET /api/puzzles/{game}/{id}/solution`; values are seen by player 0. */
export interface Solution {
  lines: LineInfo[];
  played: string;
  valuePlayed: number;
  wrong: string;
  valueWrong: number;
  valueShort: number;
  short: number;
  proved: boolean;
  model: string;
  visits: number;
}

/** `POST /api/study`: moves in notation, and then actions, from a game's start or from `setup`. */
export interface StudyLine {
  spec: string;
  setup?: Record<string, unknown> | string | null;
  moves?: string[];
  actions?: number[];
}

/** A position to look at and to go on from. */
export interface StudyView {
  game: string;
  variant: string;
  board: Board;
  toPlay: number;
  ply: number;
  actions: number[];
  moves: MoveInfo[];
  result: TableResult | null;
  players: [string, string];
  setup: Record<string, unknown> | string | null;
}

/** An opening in which players choose their colours at the table, so that nobody has one at first. */
export interface Switch {
  value: string;
  name: string;
  players: [string, string];
}

/** How a game ended. */
export interface TableResult {
  winner: number | null;
  reason: string;
}

/** How much time the players have. */
export interface Timing {
  initialSeconds: number;
  incrementSeconds: number;
  preset?: string | null;
}

/** A token as its owner sees it, once it was shown. */
export interface TokenInfo {
  clientId: string;
  ending: string;
  made: number;
  used: number | null;
}

/** `POST /api/puzzles/{game}/{id}`: the actions of one whole move. */
export interface TryPuzzle {
  actions: number[];
}

/** Take back the last action of an unfinished move. */
export interface Undo {
  type: "undo";
}

/** The answer to it. */
export interface Verdict {
  right: boolean;
  move: string;
}

/** `POST /api/games/ID/abort` and `/ready`: a person at the table. */
export interface WithToken {
  token: string;
}
