// The page's sentences about a game. Pure functions.
import type { DeclinedMessage, GameState, MoveInfo, OfferInfo, PlayerInfo } from "../api.gen.ts";

export function playerOf(state: GameState, player: number): PlayerInfo {
  return state.players[player === 1 ? 1 : 0];
}

/** Return the status line: whose turn it is, or the result. */
export function statusLine(state: GameState): string {
  if (state.result) return resultLine(state);
  if (state.status === "waiting") return "Waiting for an opponent.";
  const yours = state.you === state.toPlay;
  const staged = `${state.staged} of ${Math.max(2, state.staged + 1)} actions made.`;
  const { note } = state.board;
  if (yours && note) return `Your turn. ${note}`;
  if (yours) return state.staged ? staged : "Your turn.";
  const { name } = playerOf(state, state.toPlay);
  if (state.stalled?.side === state.toPlay) return `${name} ${state.stalled.gone ? "lost its connection" : "does not answer"}.`;
  if (state.thinking) return `${name} is thinking…`;
  return state.staged && !note ? `${name}: ${staged}` : `${name} to move.`;
}

/** What a player clicks, by style of the board. */
const CLICKED: Record<string, string> = { drop: "a column", points: "an intersection", pits: "a pit" };

/** Explain how to enter a move, before the player's first move; empty afterwards. */
export function howTo({ you, toPlay, staged, moves, board }: GameState): string {
  if (you === null || you !== toPlay || staged || moves.some((move) => move.player === you)) return "";
  const kinds = new Set(board.choices.map((choice) => choice.kind));
  if (board.note || !kinds.has("cell")) return "";
  if (kinds.has("right") || kinds.has("top")) return "Click a cell to move there, or a gap between cells to build a wall.";
  if (board.choices.some((choice) => choice.source)) return "Drag a piece, or click it and then its destination.";
  return `Click ${CLICKED[board.style] ?? "a cell"}.`;
}

export function resultLine(state: GameState): string {
  if (!state.result) return "";
  const { winner, reason } = state.result;
  if (winner === null) return reason === "aborted" || reason === "unfinished" ? "No result" : "Draw";
  return `${state.you === winner ? "You" : playerOf(state, winner).name} won`;
}

/** Say why a game ended: `Reached home`. */
export function endingLine({ ending, result }: Pick<GameState, "ending" | "result">): string {
  const words = ending || (result?.reason ?? "");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Name a seat: `Black, second`; players who choose their colours later have no other name than `first` or `second`. */
export function seatWords({ sides, board }: Pick<GameState, "sides" | "board">, player: number): string {
  const [place, name] = [player === 0 ? "first" : "second", sides[player === 1 ? 1 : 0]];
  return name.toLowerCase() === place || board.colours[player === 1 ? 1 : 0] === null ? place : `${name}, ${place}`;
}

/** List what is played in one line: `Chinese, 9 × 9, komi 7.5, no clock, rated`. */
export function termsLine(state: Pick<GameState, "terms" | "rated" | "withEvaluation">, time: string): string {
  const words = state.terms.map(({ name, value }) => (name === "Rules" || name === "Board" ? value : `${name.toLowerCase()} ${value}`));
  return [...words, time, ...(state.rated ? ["rated"] : []), ...(state.withEvaluation ? ["with evaluation"] : [])].filter(Boolean).join(", ");
}

export interface Row {
  number: number;
  cells: [MoveInfo | null, MoveInfo | null];
}

/** Group the moves in rows of two; the first player's move, or a second move in succession, begins a row. */
export function rowsOf(moves: MoveInfo[]): Row[] {
  const rows: Row[] = [];
  for (const move of moves) {
    const last = rows[rows.length - 1];
    if (last && move.player === 1 && !last.cells[1]) last.cells[1] = move;
    else rows.push({ number: rows.length + 1, cells: move.player === 0 ? [move, null] : [null, move] });
  }
  return rows;
}

/** List the plies where navigation stops: 0 and the end of every move. */
export function stops(state: GameState): number[] {
  const plies = [0, ...state.moves.map((move) => move.ply)];
  return plies[plies.length - 1] === state.ply ? plies : [...plies, state.ply];
}

/** Return the number of moves played at a ply; -1 in the middle of a move. */
export function numberAt(moves: MoveInfo[], ply: number): number {
  return ply === 0 ? 0 : moves.findIndex((move) => move.ply === ply) + 1 || -1;
}

/** Return the stop nearest to a ply, which may be in the middle of a move. */
export function nearestStop(state: GameState, ply: number): number {
  return stops(state).reduce((best, stop) => (Math.abs(stop - ply) < Math.abs(best - ply) ? stop : best));
}

/** Return the ply before the latest move of the position at `ply`; walls built since then are new. */
export function beforeLatestMove(state: GameState, ply: number): number {
  return stops(state).filter((stop) => stop < ply).pop() ?? 0;
}

const THEIRS = { draw: "offers a draw", takeback: "asks to take back a move", rematch: "offers a rematch" };
const OWN = { draw: "have offered a draw", takeback: "have asked to take back a move", rematch: "have offered a rematch" };

/** Describe an offer: `Wally offers a draw.` */
export function offerWords(state: GameState, { what, by }: OfferInfo): string {
  return state.you === by ? `You ${OWN[what]}.` : `${playerOf(state, by).name} ${THEIRS[what]}.`;
}

/** Say that the opponent has left and when the game can be claimed; empty while the opponent is connected. */
export function claimWords({ claimIn }: GameState): string {
  if (claimIn === null) return "";
  return `Your opponent has left. ${claimIn > 0 ? "If they do not return, you can soon claim the game." : "You can claim a win or a draw."}`;
}

/** Tell the opponent of a bot that does not answer what will happen; empty if it answers. */
export function stalledWords(state: GameState): string {
  const { stalled } = state;
  if (!stalled) return "";
  const { name } = playerOf(state, stalled.side);
  const minutes = Math.ceil(stalled.forfeitsIn / 60_000);
  const wait = minutes > 1 ? `${minutes} minutes` : "a minute";
  return `${name} ${stalled.gone ? "lost its connection" : "does not answer; the site asks it again"}. If nothing changes within ${wait}, it loses the game.`;
}

const DECLINED = { draw: "the draw", takeback: "the takeback", rematch: "the rematch" };

/** Describe a declined offer: `Wally declines the draw.` */
export function declinedWords(state: GameState | null, { what, by }: DeclinedMessage): string {
  const who = !state ? "Your opponent" : state.you === by ? "You" : playerOf(state, by).name;
  return `${who} ${who === "You" ? "decline" : "declines"} ${DECLINED[what]}.`;
}

/** Describe the clocks: `5 min + 3 s per move`. */
export function clockWords({ clock }: GameState): string {
  if (!clock) return "no clock";
  return controlWords(clock.initial / 1000, clock.increment / 1000);
}

/** Describe a time control, given in seconds. */
export function controlWords(initial: number, increment: number): string {
  return `${minutesText(initial)} min + ${increment} s per move`;
}

/** Format seconds as minutes: `5`, `1.5`, or `0:10` if they are not a multiple of a tenth of a minute. */
export function minutesText(seconds: number): string {
  return seconds % 6 === 0 ? String(seconds / 60) : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** Say who may see evaluations of a running game, as far as its players should know. */
export function fairnessWords({ status, withEvaluation, evaluating, you, players, rated }: GameState): string[] {
  if (status === "over") return [];
  const found: string[] = [];
  if (withEvaluation) found.push("Both players see the evaluation bar");
  if (evaluating) found.push(evaluating === 1 ? "1 spectator watches with evaluation" : `${evaluating} spectators watch with evaluation`);
  if (you !== null && players.some((player) => player.kind === "bot")) found.push(rated ? "Rated: no help during the game" : "Help is allowed against a bot");
  return found;
}

/** Tell how much is loaded, given in bytes: `3.1 of 7.4 MB`. */
export function loadedWords({ loaded, total }: { loaded: number; total: number }): string {
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);
  return total ? `${megabytes(loaded)} of ${megabytes(total)} MB` : `${megabytes(loaded)} MB`;
}

/** Count in words: `1 move`, `2 moves`. */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

/** Format points with half points as `½`. */
export function pointsText(points: number): string {
  const half = points % 1 ? "½" : "";
  return `${Math.floor(points) || !half ? Math.floor(points) : ""}${half}`;
}
