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
  /** Letters that do something wherever the keyboard is; who speaks to a machine types them unawares. */
  shortcuts: boolean;
}

const FIRST: Prefs = {
  theme: "auto",
  sound: true,
  evaluation: false,
  coordinates: true,
  confirm: false,
  typing: false,
  chat: true,
  shortcuts: true,
};
const KEY = "ludus.prefs";
const listeners = new Set<(prefs: Prefs) => void>();
let current = stored() ?? FIRST;

/** What the browser keeps; null where it keeps nothing: private windows may refuse, and other hands may have written nonsense. */
function stored(): Prefs | null {
  try {
    const text = localStorage.getItem(KEY);
    return text === null ? null : merged(JSON.parse(text));
  } catch {
    return null;
  }
}

/** What was kept, as far as it has the types it should have. */
export function merged(kept: unknown): Prefs {
  const found = (typeof kept === "object" && kept !== null ? kept : {}) as Record<string, unknown>;
  const typed = Object.entries(FIRST).map(([name, value]) => [name, typeof found[name] === typeof value ? found[name] : value]);
  const prefs = Object.fromEntries(typed) as Prefs;
  return ["auto", "light", "dark"].includes(prefs.theme) ? prefs : { ...prefs, theme: "auto" };
}

export function prefs(): Prefs {
  return current;
}

export function prefer(changes: Partial<Prefs>): void {
  current = { ...(stored() ?? current), ...changes }; // another tab may have changed something else
  try {
    localStorage.setItem(KEY, JSON.stringify(current));
  } catch {
    // then it lasts until the tab is closed
  }
  tell();
}

/** Take over what other tabs change, from now on. */
export function followTabs(): void {
  addEventListener("storage", (event: StorageEvent) => {
    const found = event.key === KEY ? stored() : null;
    if (!found) return;
    current = found;
    tell();
  });
}

function tell(): void {
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
