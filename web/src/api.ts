// What the site says and hears: its messages as types, its HTTP calls as functions.
import type {
  Act,
  Catalogue,
  CatalogueGame,
  ErrorMessage,
  Fault,
  GameState,
  Lesson,
  Lessons,
  LessonTitle,
  Line,
  NewGame,
  PlyView,
  Rematch,
  RematchMessage,
  Resign,
  Seat,
  StudyView,
  Undo,
} from "./api.gen.ts";

export type FromSite = GameState | ErrorMessage | RematchMessage;
export type ToSite = Act | Undo | Resign | Rematch;
export type Side = 0 | 1;

/** A sentence for the person; `status` is 0 when the site could not be reached. */
export class SiteError extends Error {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }
}

async function call<Answer>(path: string, body?: unknown): Promise<Answer> {
  const post = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  let answer: Response;
  try {
    answer = await fetch(path, body ? post : {});
  } catch {
    throw new SiteError("The site cannot be reached. Is it still running?", 0);
  }
  const found: unknown = await answer.json().catch(() => null);
  if (answer.ok && found !== null) return found as Answer;
  const sentence = (found as Partial<Fault> | null)?.error;
  throw new SiteError(sentence ?? `The site answered with error ${answer.status}.`, answer.status);
}

export async function catalogue(): Promise<CatalogueGame[]> {
  return (await call<Catalogue>("/api/catalogue")).games;
}

export function newGame(spec: string, bot: string, side: Side | null): Promise<Seat> {
  return call<Seat>("/api/games", { spec, bot, side } satisfies NewGame);
}

export function pastPosition(id: string, ply: number): Promise<PlyView> {
  return call<PlyView>(`/api/games/${encodeURIComponent(id)}/plies/${ply}`);
}

export async function lessons(): Promise<LessonTitle[]> {
  return (await call<Lessons>("/api/lessons")).lessons;
}

export function lesson(game: string): Promise<Lesson> {
  return call<Lesson>(`/api/lessons/${encodeURIComponent(game)}`);
}

export function study(line: Line): Promise<StudyView> {
  return call<StudyView>("/api/study", line);
}

/** The token that gives a person their seat; a person without one watches. */
export function keepSeat({ id, token }: Seat): void {
  localStorage.setItem(`ludus.token.${id}`, token);
}

export function tokenOf(id: string): string | null {
  return localStorage.getItem(`ludus.token.${id}`);
}
