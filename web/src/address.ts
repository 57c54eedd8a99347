// What an address says: its text, as it was meant, and the position that it leads to.

/** Undo the percent signs of a part of an address; as it is written, if they mean nothing. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** `?ply=23` opens a game at a position. */
export function plyFromAddress(): number | null {
  const text = new URLSearchParams(location.search).get("ply");
  return text !== null && /^\d{1,4}$/.test(text) ? Number(text) : null;
}
