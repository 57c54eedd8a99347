// What the site knows about people and finished games.
import type { Me, OwnGame, OwnGames, PlyView, RatingInfo, RatingList, Replay, GameSummary, TokenInfo } from "./api.gen.ts";
import { call, callFile } from "./api.ts";
import type { Seat } from "./api.ts";

/** A page of finished games. */
export interface Archive {
  games: GameSummary[];
  page: number;
  pages: number;
  total: number;
}

/** A page of the best of a game at a speed. */
export interface Best {
  ratings: RatingInfo[];
  page: number;
  pages: number;
}

/** What everybody may know of an account. */
export interface Person {
  name: string;
  /** Seconds since 1970. */
  since: number;
  ratings: RatingInfo[];
}

export const me = () => call<Me>("/api/me");
export const register = (name: string, password: string) => call<Me>("/api/account", { name, password });
export const logIn = (name: string, password: string) => call<Me>("/api/session", { name, password });
export const logOut = () => call<Me>("/api/session", undefined, "DELETE");
export const leave = (password: string) => call<Me>("/api/account", { password }, "DELETE");
export const changePassword = (password: string, newPassword: string) =>
  call<Me>("/api/account/password", { password, newPassword }, "PUT");
export const keepSettings = (settings: object) => call<Me>("/api/account/settings", settings, "PUT");

export const ratingLists = async () => (await call<{ lists: RatingList[] }>("/api/ratings/lists")).lists;
export const best = (game: string, timeClass: string, page: number) =>
  call<Best>(`/api/ratings?${new URLSearchParams({ game, timeClass, page: String(page) })}`);
export const personNamed = (name: string) => call<Person>(`/api/people/${encodeURIComponent(name)}`);

export const botTokens = async () => (await call<{ tokens: TokenInfo[] }>("/api/bot-tokens")).tokens;
/** The secret of a client's name, in place of an older one; the site shows it this once. */
export const makeBotToken = async (clientId: string) => (await call<{ token: string }>("/api/bot-tokens", { clientId })).token;
export const endBotToken = (clientId: string) => call<void>(`/api/bot-tokens/${encodeURIComponent(clientId)}`, undefined, "DELETE");

/** The games that are not over: of the account, and of the seats that this browser has. */
export const ownGames = async (tokens: Record<string, string>): Promise<OwnGame[]> => (await call<OwnGames>("/api/me/games", { tokens })).games;
/** The token of a seat that belongs to this account, wherever it sat down. */
export const seatAgain = async (id: string): Promise<Seat> => ({
  id,
  token: (await call<{ token: string }>(`/api/me/seats/${encodeURIComponent(id)}`, {})).token,
});

/** Finished games; `from` and `to` are days as this browser counts them, the last one included. */
export function archive({ from, to, ...others }: Record<string, string>): Promise<Archive> {
  const query = new URLSearchParams(Object.entries(others).filter(([, value]) => value));
  if (from) query.set("from", midnight(from, 0));
  if (to) query.set("to", midnight(to, 1));
  return call<Archive>(`/api/archive?${query}`);
}

/** The beginning of a day, or of one after it, as a moment; what is no day goes to the site, which says so. */
function midnight(day: string, later: number): string {
  const begin = new Date(`${day}T00:00`); // without a zone: the browser's own
  begin.setDate(begin.getDate() + later);
  return Number.isNaN(begin.getTime()) ? day : begin.toISOString();
}

const at = (id: string) => `/api/archive/${encodeURIComponent(id)}`;

export const replay = (id: string) => call<Replay>(at(id));
export const replayPosition = (id: string, ply: number) => call<PlyView>(`${at(id)}/plies/${ply}`);
export const textAddress = (id: string) => `${at(id)}/text`;
export const shareLink = async (id: string) => {
  const { link } = await call<{ link: string }>(`${at(id)}/link`);
  return `${location.origin}/shared#${link}`;
};
export const shared = (link: string) => call<Replay>("/api/shared", { link });
export const sharedPosition = (link: string, ply: number) => call<PlyView>(`/api/shared/plies/${ply}`, { link });
export const sharedText = (link: string) => callFile("/api/shared/text", { link });
export const readText = async (text: string) => (await call<{ link: string }>("/api/read", { text })).link;
