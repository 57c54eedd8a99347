// The analyses that this browser keeps under a name.
import type { Root } from "./use-study.ts";
import type { Tree } from "./tree.ts";

export interface Saved {
  id: string;
  name: string;
  spec: string;
  setup: Root["setup"];
  tree: Tree;
  /** The place on the board. */
  at: number;
  /** When it was saved, in milliseconds since 1970. */
  when: number;
}

/** The name of an analysis that this browser keeps; null: it keeps it under none. */
export type Named = Pick<Saved, "id" | "name"> | null;

const KEY = "ludus.analyses";
const MOST = 50;

/** List the saved analyses, the latest first. */
export function savedOnes(): Saved[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? found.filter(isSaved) : [];
  } catch {
    return []; // private windows may refuse storage
  }
}

function isSaved(one: Partial<Saved> | null): one is Saved {
  return typeof one?.id === "string" && typeof one.spec === "string" && Array.isArray(one.tree) && !!one.tree[one.at ?? -1];
}

/** Save an analysis in the place of the one with its id; throw an error with a sentence for the person. */
export function save(one: Saved): void {
  const others = savedOnes().filter(({ id }) => id !== one.id);
  if (others.length >= MOST) throw new Error(`This browser keeps at most ${MOST} analyses; delete one first.`);
  write([one, ...others]);
}

export function forget(id: string): void {
  write(savedOnes().filter((one) => one.id !== id));
}

function write(all: Saved[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(all));
  } catch {
    throw new Error("This browser has no room to keep the analysis; delete another one, or download it.");
  }
}
