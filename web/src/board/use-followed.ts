// Gives each piece a key that stays the same from one position to the next.
import { useRef } from "preact/hooks";
import type { Piece } from "../api.gen.ts";
import { follow } from "./identity.ts";
import type { Known } from "./identity.ts";

/** Return the pieces with their keys; the pieces of a first position are not marked as new. */
export function useFollowed(pieces: Piece[]): Known[] {
  const before = useRef<{ pieces: Piece[]; known: Known[] }>({ pieces: [], known: [] });
  if (before.current.pieces !== pieces) {
    const first = before.current.known.length === 0 && before.current.pieces.length === 0;
    const known = follow(before.current.known, pieces);
    before.current = { pieces, known: first && pieces.length > 1 ? known.map((one) => ({ ...one, fresh: false })) : known };
  }
  return before.current.known;
}
