// The set of solved puzzles, stored in the browser.

const KEY = "ludus.puzzles";
let memory: string[] = []; // used if storage is refused, as in private windows; lasts until the tab closes

export function solved(): Set<string> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return new Set([...memory, ...(Array.isArray(kept) ? kept.filter((one): one is string => typeof one === "string") : [])]);
  } catch {
    return new Set(memory); // no storage, or malformed text in it
  }
}

export function solve(id: string): void {
  memory = [...solved(), id];
  try {
    localStorage.setItem(KEY, JSON.stringify([...new Set(memory)]));
  } catch {
    // without storage, `memory` holds it
  }
}
