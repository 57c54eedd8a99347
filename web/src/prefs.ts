// What a person prefers, kept in the browser: theme, sounds, and what the game page shows.
import { useEffect, useState } from "preact/hooks";

export interface Prefs {
  theme: "auto" | "light" | "dark";
  sound: boolean;
  /** The evaluation bar, graph and hint of games that allow them. */
  evaluation: boolean;
  coordinates: boolean;
  /** Ask before an action is sent: for small touch screens. */
  confirm: boolean;
  /** The field for typed moves under the board. */
  typing: boolean;
  chat: boolean;
}

const FIRST: Prefs = {
  theme: "auto",
  sound: true,
  evaluation: false,
  coordinates: true,
  confirm: false,
  typing: false,
  chat: true,
};
const KEY = "ludus.prefs";
const listeners = new Set<(prefs: Prefs) => void>();
let current = read();

function read(): Prefs {
  try {
    return merged(JSON.parse(localStorage.getItem(KEY) ?? "{}"));
  } catch {
    return FIRST; // private windows may refuse, and other hands may have written nonsense
  }
}

/** What was stored, as far as it has the types it should have. */
export function merged(stored: unknown): Prefs {
  const found = (typeof stored === "object" && stored !== null ? stored : {}) as Record<string, unknown>;
  const kept = Object.entries(FIRST).map(([name, value]) => [name, typeof found[name] === typeof value ? found[name] : value]);
  const prefs = Object.fromEntries(kept) as Prefs;
  return ["auto", "light", "dark"].includes(prefs.theme) ? prefs : { ...prefs, theme: "auto" };
}

export function prefs(): Prefs {
  return current;
}

export function prefer(changes: Partial<Prefs>): void {
  current = { ...current, ...changes };
  try {
    localStorage.setItem(KEY, JSON.stringify(current));
  } catch {
    // then it lasts until the tab is closed
  }
  applyTheme();
  for (const listener of listeners) listener(current);
}

/** Hear of every change. */
export function onPrefer(listener: (prefs: Prefs) => void): void {
  listeners.add(listener);
}

export function usePrefs(): Prefs {
  const [value, setValue] = useState(current);
  useEffect(() => {
    listeners.add(setValue);
    return () => void listeners.delete(setValue);
  }, []);
  return value;
}

/** Tell the style sheet which theme was chosen. */
export function applyTheme(): void {
  const { dataset } = document.documentElement;
  if (current.theme === "auto") delete dataset["theme"];
  else dataset["theme"] = current.theme;
}
