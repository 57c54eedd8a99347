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

// in order: tags, also after other lines; SGF; a comment; a move number; castling or another move of chess
const GAMES = [
  /(^|\n)\[\s*\w+\s/,
  /^\(\s*(;|[A-Z]{1,2}\s*\[)/,
  /^\{(?!\s*["}])/,
  /^\d{1,3}\s*\.[.\s]*[^\s\d]/,
  /^(O-O|0-0)/,
  /^(\d{1,3}\s+)?[♔-♟KQRBN]?\uFE0E?[a-h]?[1-8]?[-x:]?[a-h][1-8](?![\w/])/,
];

/** Whether a text begins as a whole game does, unlike any position. */
export function isGame(text: string): boolean {
  const begin = text.replace(/^[\uFEFF\s]+/, "");
  return GAMES.some((pattern) => pattern.test(begin));
}
