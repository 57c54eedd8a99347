// The site's API for accounts, ratings, bot tokens and finished games.
import type { FinishedGames, OwnGame, SharedTree, StudyTree, WishReview } from "./api.gen.ts";
import { call, callFile } from "./api.ts";
import type { Seat } from "./api.ts";

export const me = () => call("get", "/api/me");
export const register = (name: string, password: string) => call("post", "/api/account", { body: { name, password } });
export const logIn = (name: string, password: string) => call("post", "/api/session", { body: { name, password } });
export const logOut = () => call("delete", "/api/session");
export const leave = (password: string) => call("delete", "/api/account", { body: { password } });
export const changePassword = (password: string, newPassword: string) =>
  call("put", "/api/account/password", { body: { password, newPassword } });
export const keepSettings = (settings: Record<string, boolean | number | string>) =>
  call("put", "/api/account/settings", { body: settings });

export const ratingLists = async () => (await call("get", "/api/ratings/lists")).lists;
export const best = (game: string, timeClass: string, page: number) =>
  call("get", "/api/ratings", { params: { query: { game, timeClass, page: String(page) } } });
/** Find accounts whose names begin with a text, and bots whose names contain it. */
export const playersNamed = (name: string) => call("get", "/api/players", { params: { query: { name } } });
export const personNamed = (name: string) => call("get", "/api/people/{name}", { params: { path: { name } } });
/** Get the ratings of a person after each rated game of a kind, oldest first. */
export const ratingHistory = async (name: string, game: string, timeClass: string) =>
  (await call("get", "/api/people/{name}/ratings", { params: { path: { name }, query: { game, timeClass } } })).points;

export const botTokens = async () => (await call("get", "/api/bot-tokens")).tokens;
/** Create the secret token for a client name and revoke an older one; the site shows it only once. */
export const makeBotToken = async (clientId: string) => (await call("post", "/api/bot-tokens", { body: { clientId } })).token;
export const endBotToken = (clientId: string) => 
  call("delete", "/api/bot-tokens/{client_id}", { params: { path: { client_id: clientId } } });

/** Get the unfinished games of the account and of the seats stored in this browser. */
export const ownGames = async (tokens: Record<string, string>): Promise<OwnGame[]> => (await call("post", "/api/me/games", { body: { tokens } })).games;
/** Get the token of this account's seat in a game, on any device. */
export const seatAgain = async (id: string): Promise<Seat> => ({
  id,
  token: (await call("post", "/api/me/seats/{game_id}", { params: { path: { game_id: id } } })).token,
});

/** Get finished games; `from` and `to` are days in the browser's time zone, both included. */
export function archive({ from, to, ...others }: Record<string, string>): Promise<FinishedGames> {
  const query = Object.fromEntries(Object.entries(others).filter(([, value]) => value));
  if (from) query["from"] = midnight(from, 0);
  if (to) query["to"] = midnight(to, 1);
  return call("get", "/api/archive", { params: { query } });
}

/** Return the start of a day, or of a day after it, in ISO format; an invalid day is returned unchanged for the site to reject. */
function midnight(day: string, later: number): string {
  const begin = new Date(`${day}T00:00`); // without a zone: the browser's own
  begin.setDate(begin.getDate() + later);
  return Number.isNaN(begin.getTime()) ? day : begin.toISOString();
}

export const replay = (id: string) => call("get", "/api/archive/{game_id}", { params: { path: { game_id: id } } });
export const replayPosition = (id: string, ply: number) => 
  call("get", "/api/archive/{game_id}/plies/{ply}", { params: { path: { game_id: id, ply: String(ply) } } });
export const textAddress = (id: string) => `/api/archive/${encodeURIComponent(id)}/text`;
export const shareLink = async (id: string) => {
  const { link } = await call("get", "/api/archive/{game_id}/link", { params: { path: { game_id: id } } });
  return `${location.origin}/shared#${link}`;
};
/** Get the link of one of the good games that the site shows, by any number. */
export const showcase = async (number: number) => (await call("get", "/api/showcase/{number}", { params: { path: { number: String(number) } } })).link;
export const showcasePosition = async (number: number, ply: number) =>
  (await call("get", "/api/showcase/{number}/plies/{ply}", { params: { path: { number: String(number), ply: String(ply) } } })).board;
export const shared = (link: string) => call("post", "/api/shared", { body: { link } });
export const sharedPosition = (link: string, ply: number) => 
  call("post", "/api/shared/plies/{ply}", { params: { path: { ply: String(ply) } }, body: { link } });
export const sharedText = (link: string) => callFile("/api/shared/text", { link });
/** Write an analysis tree as text in the format of its game. */
export const studyText = (body: StudyTree) => callFile("/api/study/text", body);
/** Write an analysis tree as a link, with the place to open. */
export const studyLink = (body: SharedTree) => call("post", "/api/study/link", { body });
/** Read a recorded game; the answer is a link that contains it, and what of the text the link leaves out. */
export const readText = (text: string) => call("post", "/api/read", { body: { text } });

const reviewPath = (key: string) => ({ params: { path: { key } } });

export const reviewState = (key: string) => call("get", "/api/reviews/{key}", reviewPath(key));
export const review = (key: string) => call("get", "/api/reviews/{key}/positions", reviewPath(key));
/** Begin the review of a finished game of the site, or of a game in a link. */
export const beginReview = (body: WishReview) => call("post", "/api/reviews", { body });
export const cancelReview = (key: string) => call("delete", "/api/reviews/{key}", reviewPath(key));
