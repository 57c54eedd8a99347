// Positions as texts: a FEN, or JSON, and what is a whole game instead; pure, so that it can be tested.
import type { StudyView } from "../api.gen.ts";

/** Where a position has a text of its own, the rest is left out: what a game remembers of its past. */
export function asText(setup: StudyView["setup"]): string {
  if (setup === null || typeof setup === "string") return setup ?? "";
  const { fen } = setup;
  return typeof fen === "string" ? fen : JSON.stringify(setup);
}

/** A position is a text such as a FEN, or JSON. */
export function setupFrom(text: string | null): StudyView["setup"] {
  if (!text?.startsWith("{")) return text;
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return text; // the site says what is wrong with it
  }
}

/** Games begin with tags (PGN and its like), with SGF's brackets, or with the number of the first move; positions never do. */
export function isGame(text: string): boolean {
  return /^[\uFEFF\s]*(\[\w+\s+"|\(\s*;|1\s*\.)/.test(text);
}
