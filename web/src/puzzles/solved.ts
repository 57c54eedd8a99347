// Which puzzles somebody has solved, kept in the browser.

const KEY = "ludus.puzzles";
let memory: string[] = []; // private windows may refuse: then it lasts until the tab is closed

export function solved(): Set<string> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return new Set([...memory, ...(Array.isArray(kept) ? kept.filter((one): one is string => typeof one === "string") : [])]);
  } catch {
    return new Set(memory); // other hands may have written nonsense
  }
}

export function solve(id: string): void {
  memory = [...solved(), id];
  try {
    localStorage.setItem(KEY, JSON.stringify([...new Set(memory)]));
  } catch {
    // then the memory has it
  }
}
