// This visitor's inbox: quick pairing and challenges, over one WebSocket that outlives changes of page.
import { useEffect, useState } from "preact/hooks";
import type { ChallengeInfo, EnterPool, FromInbox, Me, SendChallenge, ToInbox } from "../api.gen.ts";
import { keepSeat } from "../api.ts";
import { Connection } from "../connection.ts";
import type { News } from "../connection.ts";
import { onPerson, person } from "../identity.ts";
import { asError } from "../notice.ts";
import { play } from "../sound.ts";

/** A wait for an opponent. */
export interface Wait {
  wish: EnterPool;
  /** When it began, in milliseconds of `performance.now`. */
  since: number;
  /** How many others wait on this board; null until the site has said so. */
  others: number | null;
  /** The accepted difference of ratings at present; null: any. */
  range: number | null;
}

export interface Inbox {
  wait: Wait | null;
  incoming: ChallengeInfo[];
  outgoing: ChallengeInfo[];
  /** When the lists of challenges arrived, in milliseconds of `performance.now`. */
  at: number;
  /** A game that has begun while this page was in the background. */
  begun: { id: string; opponent: string } | null;
  isLost: boolean;
}

interface Handlers {
  onOpen: (id: string) => void;
  onNotice: (said: string | Error) => void;
}

const NOTHING: Inbox = { wait: null, incoming: [], outgoing: [], at: 0, begun: null, isLost: false };

let inbox = NOTHING;
let line: Connection<FromInbox, ToInbox> | null = null;
let account = "";
let unsent: ToInbox[] = [];
let handlers: Handlers = { onOpen: () => {}, onNotice: () => {} };
const listeners = new Set<(inbox: Inbox) => void>();

function change(changes: Partial<Inbox>): void {
  inbox = { ...inbox, ...changes };
  for (const listener of listeners) listener(inbox);
}

export function useInbox(): Inbox {
  const [value, setValue] = useState(inbox);
  useEffect(() => {
    setValue(inbox);
    listeners.add(setValue);
    return () => void listeners.delete(setValue);
  }, []);
  return value;
}

/** Open the inbox of accounts, which may be challenged at any time; guests open it when they look for an opponent. */
export function keepInbox(now: Handlers): void {
  handlers = now;
  onPerson(({ account: isAccount, name }: Me) => {
    const current = isAccount ? name : "";
    if (current === account) return;
    account = current;
    line?.close(); // the site knows the visitor of a socket by its cookies when it opened
    line = null;
    unsent = [];
    change(NOTHING);
    if (account) open();
  });
}

function open(): void {
  line ??= new Connection<FromInbox, ToInbox>("/ws/inbox", hear, (state) => {
    if (state === "open") {
      if (inbox.wait) line?.send(inbox.wait.wish); // the site forgets a wait when its socket closes
      for (const message of unsent.splice(0)) line?.send(message);
    }
    change({ isLost: state === "lost" });
  });
}

function send(message: ToInbox): void {
  if (line?.send(message)) return;
  unsent.push(message);
  // a guest without a cookie gets one first, so that the site knows the same guest in the game
  person().then(open, (error: unknown) => handlers.onNotice(asError(error)));
}

/** Close a guest's inbox when nothing is expected from it. */
function closeIfIdle(): void {
  if (account || inbox.wait || inbox.outgoing.length || unsent.length) return;
  line?.close();
  line = null;
}

function hear(message: News<FromInbox>): void {
  switch (message.type) {
    case "pool":
      if (message.waiting && inbox.wait) {
        change({ wait: { ...inbox.wait, since: performance.now() - message.waited, others: message.others, range: message.range } });
      } else if (!message.waiting) change({ wait: null });
      break;
    case "challenges": {
      const known = new Set(inbox.incoming.map(({ id }) => id));
      if (message.incoming.some(({ id }) => !known.has(id))) play("start");
      change({ incoming: message.incoming, outgoing: message.outgoing, at: performance.now() });
      break;
    }
    case "ended":
      if (message.why !== "withdrawn") handlers.onNotice(endedWords(message));
      break;
    case "seated":
      keepSeat({ id: message.gameId, token: message.token });
      change({ wait: null, begun: document.hidden ? { id: message.gameId, opponent: message.opponent } : null });
      play("start");
      if (!document.hidden) handlers.onOpen(message.gameId);
      break;
    case "error":
      handlers.onNotice(new Error(message.message));
      if (inbox.wait?.others === null) change({ wait: null }); // the wait was refused
      break;
  }
  closeIfIdle();
}

/** Say why a challenge has ended without a game. */
export function endedWords({ name, mine, why }: { name: string; mine: boolean; why: string }): string {
  if (why === "declined") return mine ? `${name} declined your challenge.` : `You declined the challenge of ${name}.`;
  if (why === "expired") return mine ? `${name} did not answer your challenge.` : `The challenge of ${name} has expired.`;
  return mine ? `Your challenge to ${name} has ended.` : `${name} has left; the challenge has ended.`;
}

/** Wait for an opponent. */
export function seek(wish: EnterPool): void {
  change({ wait: { wish, since: performance.now(), others: null, range: wish.range ?? null } });
  if (line) line.send(wish); // when it opens, it sends the wish itself
  else person().then(open, (error: unknown) => {
    change({ wait: null });
    handlers.onNotice(asError(error));
  });
}

export function stopSeeking(): void {
  if (!inbox.wait) return;
  change({ wait: null });
  line?.send({ type: "stop" });
  closeIfIdle();
}

export const challenge = (wish: SendChallenge) => send(wish);
export const accept = (id: string) => send({ type: "accept", id });
export const decline = (id: string) => send({ type: "decline", id });
export const withdraw = (id: string) => send({ type: "withdraw", id });
export const dismissBegun = () => change({ begun: null });
