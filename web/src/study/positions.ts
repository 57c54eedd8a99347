// Positions as text, in FEN or JSON, and the detection of whole games. Pure functions.
import type { StudyView } from "../api.gen.ts";

/** Return a position as text; if it has a FEN, its history is left out. */
export function asText(setup: StudyView["setup"]): string {
  if (setup === null || typeof setup === "string") return setup ?? "";
  const { fen } = setup;
  return typeof fen === "string" ? fen : JSON.stringify(setup);
}

/** Parse a position: JSON, or text such as FEN, which the site parses. */
export function setupFrom(text: string | null): StudyView["setup"] {
  if (!text?.startsWith("{")) return text;
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return text; // the site reports the error
  }
}

/** Whether a text is a whole game: it begins with PGN tags, an SGF bracket or `1.`, unlike any position. */
export function isGame(text: string): boolean {
  return /^[\uFEFF\s]*(\[\w+\s+"|\(\s*;|1\s*\.)/.test(text);
}
