// Who this person is for the others: asked of the site once, then known.
import { useEffect, useState } from "preact/hooks";
import type { Me } from "./api.gen.ts";
import { me } from "./people.ts";

let asked: Promise<Me> | null = null;
const listeners = new Set<(person: Me) => void>();

export function person(): Promise<Me> {
  asked ??= me();
  asked.catch(() => (asked = null)); // ask again next time
  return asked;
}

/** Somebody has logged in or out. */
export function becomes(now: Me): void {
  asked = Promise.resolve(now);
  for (const listener of listeners) listener(now);
}

/** A name for the table; a site without accounts has guests only. */
export async function nameOfPerson(): Promise<string> {
  try {
    return (await person()).name;
  } catch {
    return "Guest";
  }
}

/** Hear who one is, now and after every change of it. */
export function onPerson(listener: (person: Me) => void): void {
  listeners.add(listener);
  person().then(listener, () => {});
}

/** Null until the site has answered. */
export function usePerson(): Me | null {
  const [found, setFound] = useState<Me | null>(null);
  useEffect(() => {
    listeners.add(setFound);
    person().then(setFound, () => {});
    return () => void listeners.delete(setFound);
  }, []);
  return found;
}
