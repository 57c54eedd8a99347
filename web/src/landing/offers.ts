// Which waiting person the landing page offers first. Pure functions.
import type { EnterPool, PoolEntry, Snapshot } from "../api.gen.ts";
import { sameBoard } from "../catalogue.ts";
import { timeWords, toldOf } from "../feeds.ts";
import type { Lobby } from "../feeds.ts";

/** A person who waits: in an open seat, or for quick pairing. */
export type Offer = { seat: Snapshot } | { entry: PoolEntry };

interface Visitor {
  /** Whether the visitor is logged in. */
  account: boolean;
  /** The game that the visitor plays usually. */
  game: string;
  isMine: (id: string) => boolean;
  /** What the visitor waits for. */
  wish: EnterPool | null;
}

/** Return the people whom a visitor could play at once, one's usual game first, then open seats. */
export function offersFor({ seats, waiting }: Lobby, { account, game, isMine, wish }: Visitor): Offer[] {
  const free = seats.filter((seat) => !isMine(seat.id) && (account || !seat.config.rated) && seat.players.some(({ connected }) => connected));
  const others = othersIn(waiting, wish).filter((entry) => account || !entry.rated);
  const usual = (one: { game: string }) => Number(one.game !== game);
  const found = [...free.map((seat) => ({ seat, rank: 2 * usual(seat.config) })), ...others.map((entry) => ({ entry, rank: 2 * usual(entry) + 1 }))];
  return found.sort((a, b) => a.rank - b.rank);
}

/** Return who waits for quick pairing besides the visitor. */
export function othersIn(waiting: PoolEntry[], wish: EnterPool | null): PoolEntry[] {
  if (!wish) return waiting;
  const isOwn = (entry: PoolEntry) =>
    sameBoard(entry, wish.config) &&
    entry.rated === wish.rated &&
    entry.timeControls.length === wish.times.length &&
    entry.timeControls.every((time, index) => timeWords(time) === timeWords(toldOf(wish.times[index] ?? null)));
  return waiting.map((entry) => (isOwn(entry) ? { ...entry, people: entry.people - 1 } : entry)).filter(({ people }) => people > 0);
}
