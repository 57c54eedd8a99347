// The site's HTTP API as typed functions, and the seat tokens that this browser stores.
import type {
  Arrangement,
  CatalogueGame,
  Fault,
  JudgedLine,
  Kit,
  Lesson,
  LessonTitle,
  StudyLine,
  LineEvaluation,
  MakeOffer,
  OpeningsView,
  NextPuzzle,
  PlyView,
  PuzzleGame,
  PuzzleView,
  RatedTry,
  SampleGame,
  Solution,
  StudyView,
  Timing,
  Verdict,
  paths,
} from "./api.gen.ts";

export type What = MakeOffer["what"];
export type Side = 0 | 1;

/** Null: no clocks. */
export type TimeControl = Timing | null;

/** A seat of this person: the game's id and the seat's secret token. */
export interface Seat {
  id: string;
  token: string;
}

/** A failed request, with a message for the person; `status` is 0 if the site could not be reached. */
export class SiteError extends Error {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

async function reached(path: string, body: unknown, method: string, token?: string, stop: AbortSignal | null = null): Promise<Response> {
  const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
  if (body !== undefined) headers["content-type"] = "application/json";
  try {
    return await fetch(path, { method: method.toUpperCase(), headers, signal: stop, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  } catch {
    throw new SiteError("The site cannot be reached. Is it still running?", 0);
  }
}

function refusal({ status }: Response, found: unknown): SiteError {
  const sentence = (found as Partial<Fault> | null)?.error;
  return new SiteError(sentence ?? `The site answered with error ${status}.`, status);
}

type Method = "get" | "post" | "put" | "delete";
type Path<M extends Method> = { [P in keyof paths]: paths[P][M] extends { responses: unknown } ? P : never }[keyof paths];
type Content<Said> = Said extends { content: { "application/json": infer Json } } ? Json : undefined;
type Answer<Route> = Route extends { responses: infer All }
  ? { [Status in keyof All & (200 | 201 | 204)]: Content<All[Status]> }[keyof All & (200 | 201 | 204)]
  : never;
type Question<Route> = { token?: string; stop?: AbortSignal } & (Route extends { parameters: { path: infer Names } } ? { params: { path: Names } } : unknown) &
  (Route extends { parameters: { query?: infer Query extends object } } ? { params?: { query?: Query } } : unknown) &
  (Route extends { requestBody: infer Sent } ? { body: Content<Sent> } : Route extends { requestBody?: infer Sent } ? { body?: Content<Sent> } : unknown);

/** The path parameters, query parameters and body of a request. */
interface Words {
  params?: { path?: Record<string, string>; query?: Record<string, string | undefined> };
  body?: unknown;
  /** The operator's token. */
  token?: string;
  /** Aborts the request. */
  stop?: AbortSignal;
}

/** Call the site's API; the types of paths, requests and answers come from its OpenAPI document. */
export async function call<M extends Method, P extends Path<M>>(
  method: M,
  path: P,
  ...question: object extends Question<paths[P][M]> ? [Question<paths[P][M]>?] : [Question<paths[P][M]>]
): Promise<Answer<paths[P][M]>> {
  const { params = {}, body, token, stop } = (question[0] ?? {}) as Words;
  const filled = path.replace(/{(\w+)}/g, (_, name: string) => encodeURIComponent(params.path?.[name] ?? ""));
  const query = new URLSearchParams(params.query as Record<string, string> | undefined).toString();
  const answer = await reached(query ? `${filled}?${query}` : filled, body, method, token, stop);
  if (answer.status === 204) return undefined as Answer<paths[P][M]>;
  const found: unknown = await answer.json().catch(() => null);
  if (answer.ok && found !== null) return found as Answer<paths[P][M]>;
  throw refusal(answer, found);
}

/** Download a file from the site. */
export async function callFile(path: Path<"post">, body: unknown): Promise<File> {
  const answer = await reached(path, body, "post");
  if (!answer.ok) throw refusal(answer, await answer.json().catch(() => null));
  const name = /filename="([^"]+)"/.exec(answer.headers.get("content-disposition") ?? "")?.[1];
  return new File([await answer.blob()], name ?? "game.txt");
}

export const catalogue = () => call("get", "/api/catalogue");

/** The start position of a game, in the form its rules take; null: the usual one. */
export type Beginning = Record<string, unknown> | string | null;

function config(game: CatalogueGame, setup: Beginning, timeControl?: TimeControl, rated = false, withEvaluation = false) {
  const usual = { game: game.game, variant: game.variant, boardWidth: game.boardWidth, boardHeight: game.boardHeight };
  const board = setup ? { ...usual, setup } : usual;
  return timeControl === undefined ? board : { ...board, timeControl, rated, withEvaluation };
}

const first = (side: Side | null) => (side === null ? {} : { hostIsPlayer1: side === 0 });

export interface AgainstBot {
  game: CatalogueGame;
  setup?: Beginning;
  botId: string;
  side?: Side | null;
  /** The display name that other people see. */
  name: string;
  timeControl?: TimeControl;
  /** How long the bot is to think about each move; null: as long as it does by itself. */
  botSeconds?: number | null;
}

export async function playBot({ game, setup = null, botId, side = null, name, timeControl = null, botSeconds = null }: AgainstBot): Promise<Seat> {
  const body = { botId, config: config(game, setup), hostDisplayName: name, timeControl, botSeconds, ...first(side) };
  const { gameId, token } = await call("post", "/api/bots/play", { body });
  return { id: gameId, token };
}

/** Start a game between two bots, the first to move first; return its id. */
export async function matchBots(game: CatalogueGame, setup: Beginning, botIds: [string, string]): Promise<string> {
  return (await call("post", "/api/bots/match", { body: { botIds, config: config(game, setup) } })).gameId;
}

export interface Opening {
  game: CatalogueGame;
  setup: Beginning;
  matchType: "friend" | "matchmaking";
  side: Side | null;
  timeControl: TimeControl;
  rated: boolean;
  withEvaluation: boolean;
  name: string;
}

export async function openGame({ game, setup, matchType, side, timeControl, rated, withEvaluation, name }: Opening): Promise<Seat> {
  const body = { config: config(game, setup, timeControl, rated, withEvaluation), matchType, hostDisplayName: name, ...first(side) };
  const { gameId, hostToken } = await call("post", "/api/games", { body });
  return { id: gameId, token: hostToken };
}

/** Take the open seat of a game; null if both seats are taken. */
export async function joinGame(id: string, name: string): Promise<Seat | null> {
  const answer = await call("post", "/api/games/{game_id}/join", { params: { path: { game_id: id } }, body: { displayName: name } });
  return answer.role === "player" ? { id, token: answer.token } : null;
}

export function pastPosition(id: string, ply: number): Promise<PlyView> {
  return call("get", "/api/games/{game_id}/plies/{ply}", { params: { path: { game_id: id, ply: String(ply) } } });
}

export async function lessons(): Promise<LessonTitle[]> {
  return (await call("get", "/api/lessons")).lessons;
}

export function lesson(game: string): Promise<Lesson> {
  return call("get", "/api/lessons/{game}", { params: { path: { game } } });
}

export async function puzzleGames(): Promise<PuzzleGame[]> {
  return (await call("get", "/api/puzzles")).games;
}

const puzzlePath = (game: string, name: string) => ({ params: { path: { game, name } } });

export function puzzle(game: string, id: string): Promise<PuzzleView> {
  return call("get", "/api/puzzles/{game}/{name}", puzzlePath(game, id));
}

/** Check whether the actions of a complete move solve a puzzle. */
export function tryPuzzle(game: string, id: string, actions: number[]): Promise<Verdict> {
  return call("post", "/api/puzzles/{game}/{name}", { ...puzzlePath(game, id), body: { actions } });
}

/** Return the puzzle to solve next, near the person's rating, and that rating. */
export function followingPuzzle(game: string, after?: string): Promise<NextPuzzle> {
  return call("get", "/api/puzzles/{game}", { params: { path: { game }, query: after ? { after } : {} } });
}

/** Ask for the solution before a try, which counts as a wrong one. */
export async function giveUp(game: string, id: string): Promise<RatedTry | null> {
  return (await call("post", "/api/puzzles/{game}/{name}/given-up", puzzlePath(game, id))).rated;
}

export const dailyPuzzle = () => call("get", "/api/puzzle-of-the-day");

export function solution(game: string, id: string): Promise<Solution> {
  return call("get", "/api/puzzles/{game}/{name}/solution", puzzlePath(game, id));
}

export const training = () => call("get", "/api/training");
export const pauseTraining = () => call("post", "/api/training/pause");
export const resumeTraining = () => call("post", "/api/training/resume");

export function sampleGame(generation: number, number: number): Promise<SampleGame> {
  const path = { generation: String(generation), number: String(number) };
  return call("get", "/api/training/games/{generation}/{number}", { params: { path } });
}

export function study(line: StudyLine): Promise<StudyView> {
  return call("post", "/api/study", { body: line });
}

/** Get the pieces and settings that can be put on the board at the end of a line. */
export function kit(line: StudyLine): Promise<Kit> {
  return call("post", "/api/study/kit", { body: line });
}

/** Check a position that was set up by hand; rejected if no game can reach it. */
export function arrange(arrangement: Arrangement): Promise<StudyView> {
  return call("post", "/api/study/arrange", { body: arrangement });
}

/** Get what the site's finished games played after a line. */
export function openings(line: StudyLine): Promise<OpeningsView> {
  return call("post", "/api/study/openings", { body: line });
}

/** Have the judge evaluate the position after a line, until `stop` aborts the request. */
export function evaluateLine(line: JudgedLine, stop?: AbortSignal): Promise<LineEvaluation> {
  return call("post", "/api/study/evaluation", { body: line, ...(stop && { stop }) });
}

const RECENT = "ludus.seats";
const MOST_RECENT = 50; // the site's limit for one request

/** Store the token of a seat; without its token, a person can only watch. */
export function keepSeat({ id, token }: Seat): void {
  try {
    localStorage.setItem(`ludus.token.${id}`, token);
    localStorage.setItem(RECENT, withRecent(recentSeats(), id));
  } catch {
    memory.set(id, token); // private windows may refuse storage: the seat then lasts until the tab closes
  }
}

/** Delete the stored token of a seat, because the site no longer accepts it. */
export function forgetSeat(id: string): void {
  memory.delete(id);
  try {
    localStorage.removeItem(`ludus.token.${id}`);
  } catch {
    // without storage there is no stored token
  }
}

/** Put an id first in the list of latest seats; return the list in its stored form. */
export function withRecent(ids: string[], id: string): string {
  return [id, ...ids.filter((old) => old !== id)].slice(0, MOST_RECENT).join(" ");
}

function recentSeats(): string[] {
  try {
    return (localStorage.getItem(RECENT) ?? "").split(" ").filter(Boolean);
  } catch {
    return [...memory.keys()].slice(-MOST_RECENT);
  }
}

/** The tokens of this browser's latest seats, by game id. */
export function recentTokens(): Record<string, string> {
  const kept = recentSeats().map((id) => [id, tokenOf(id)] as const);
  return Object.fromEntries(kept.filter((pair): pair is [string, string] => pair[1] !== null));
}

const memory = new Map<string, string>();

export function tokenOf(id: string): string | null {
  try {
    return localStorage.getItem(`ludus.token.${id}`) ?? memory.get(id) ?? null;
  } catch {
    return memory.get(id) ?? null;
  }
}
