// The person's account or guest name, fetched from the site once and cached.
import { useEffect, useState } from "preact/hooks";
import type { Me } from "./api.gen.ts";
import { me } from "./people.ts";

let asked: Promise<Me> | null = null;
const listeners = new Set<(person: Me) => void>();

export function person(): Promise<Me> {
  asked ??= me();
  asked.catch(() => (asked = null)); // the next call retries
  return asked;
}

/** Record that the person has logged in or out, and notify the listeners. */
export function becomes(now: Me): void {
  asked = Promise.resolve(now);
  for (const listener of listeners) listener(now);
}

/** Return the display name for a game; "Guest" if the site cannot be asked. */
export async function nameOfPerson(): Promise<string> {
  try {
    return (await person()).name;
  } catch {
    return "Guest";
  }
}

/** Call `listener` with the person now and after every login or logout. */
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
