// What a guest chose last time, and the board that stands for an entry of the catalogue.
import type { Board } from "../api.gen.ts";
import type { Entry } from "../api.ts";

type Kept = "spec" | "bot" | "side";

/** Private windows may refuse to store; then nothing is remembered. */
export function remember(what: Kept, value: string): void {
  try {
    localStorage.setItem(`ludus.${what}`, value);
  } catch {
    return;
  }
}

export function remembered(what: Kept): string | null {
  try {
    return localStorage.getItem(`ludus.${what}`);
  } catch {
    return null;
  }
}

/** The entry's own board; without one, an empty board of its size. */
export function pictureOf(entry: Entry): Board {
  if (entry.board) return entry.board;
  const [columns = 8, rows = columns] = (entry.size.match(/\d+/g) ?? []).map(Number);
  return { rows, columns, style: "squares", pieces: [], edges: [], marks: [], choices: [], column_labels: [], row_labels: [] };
}
