// The settings stored in the browser: theme, sounds, and the parts of the game page.
import { useEffect, useState } from "preact/hooks";

export interface Prefs {
  theme: "auto" | "light" | "dark";
  /** The set of boards and pieces. */
  boards: "classic" | "walnut" | "slate";
  sound: boolean;
  /** The evaluation bar, graph and hint of games that allow them. */
  evaluation: boolean;
  /** The engine of the analysis board. */
  engine: boolean;
  /** The number of lines that it shows, 1 to 5. */
  lines: number;
  /** Who evaluates positions where there is a choice: this device, or the site. */
  thinker: "device" | "site";
  /** The openings on the analysis board. */
  explorer: boolean;
  coordinates: boolean;
  /** Confirm each action before it is sent, for small touch screens. */
  confirm: boolean;
  /** Move a piece by one click on its target, where only one piece can go there. */
  oneClick: boolean;
  /** The field for typed moves under the board. */
  typing: boolean;
  chat: boolean;
  /** Whose challenges to this account arrive; the site reads it too. */
  challenges: "everyone" | "accounts" | "nobody";
  /** Single-letter shortcuts; speech input may trigger them by accident. */
  shortcuts: boolean;
}

const FIRST: Prefs = {
  theme: "auto",
  boards: "classic",
  sound: true,
  evaluation: false,
  engine: true,
  lines: 3,
  thinker: "device",
  explorer: true,
  coordinates: true,
  confirm: false,
  oneClick: false,
  typing: false,
  chat: true,
  challenges: "everyone",
  shortcuts: true,
};
const KEY = "ludus.prefs";
const listeners = new Set<(prefs: Prefs) => void>();
let current = stored() ?? FIRST;

/** Read the stored settings; null if there are none, storage is refused (private windows) or the text is malformed. */
function stored(): Prefs | null {
  try {
    const text = localStorage.getItem(KEY);
    return text === null ? null : merged(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Complete stored settings with defaults; values of the wrong type are dropped. */
export function merged(kept: unknown): Prefs {
  const found = (typeof kept === "object" && kept !== null ? kept : {}) as Record<string, unknown>;
  const typed = Object.entries(FIRST).map(([name, value]) => [name, typeof found[name] === typeof value ? found[name] : value]);
  const prefs = Object.fromEntries(typed) as Prefs;
  const theme = ["auto", "light", "dark"].includes(prefs.theme) ? prefs.theme : FIRST.theme;
  const boards = ["classic", "walnut", "slate"].includes(prefs.boards) ? prefs.boards : FIRST.boards;
  const challenges = ["everyone", "accounts", "nobody"].includes(prefs.challenges) ? prefs.challenges : FIRST.challenges;
  const thinker = prefs.thinker === "site" ? "site" : FIRST.thinker;
  return { ...prefs, theme, boards, challenges, thinker };
}

export function prefs(): Prefs {
  return current;
}

export function prefer(changes: Partial<Prefs>): void {
  current = { ...(stored() ?? current), ...changes }; // another tab may have changed other settings
  try {
    localStorage.setItem(KEY, JSON.stringify(current));
  } catch {
    // without storage, settings last until the tab closes
  }
  tell();
}

/** Apply changes that other tabs make. */
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

/** Call `listener` after every change. */
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

/** Set the chosen theme, and the set of boards and pieces, on the document for the style sheets. */
export function applyTheme(): void {
  const { dataset } = document.documentElement;
  if (current.theme === "auto") delete dataset["theme"];
  else dataset["theme"] = current.theme;
  dataset["boards"] = current.boards;
}
