// Matches the pieces of consecutive boards, so that a moved piece is animated from its old cell.
import type { Piece } from "../api.gen.ts";
import { kin } from "./same.ts";

export interface Known {
  key: string;
  piece: Piece;
  /** Whether the piece is new on the board. */
  fresh: boolean;
}

const at = (a: Piece, b: Piece) => a.at[0] === b.at[0] && a.at[1] === b.at[1];
const distance = (a: Piece, b: Piece) => Math.abs(a.at[0] - b.at[0]) + Math.abs(a.at[1] - b.at[1]);

let count = 0;

/** Match `pieces` with the pieces `before`: first those on the same cell, then the nearest of the same kind. */
export function follow(before: Known[], pieces: Piece[]): Known[] {
  const left = [...before];
  const found = new Map<Piece, string>();
  const claim = (piece: Piece, index: number) => {
    const [known] = left.splice(index, 1);
    if (known) found.set(piece, known.key);
  };
  for (const piece of pieces) {
    const index = left.findIndex((known) => kin(known.piece, piece) && at(known.piece, piece));
    if (index >= 0) claim(piece, index);
  }
  for (const piece of pieces) {
    if (found.has(piece)) continue;
    let index = -1;
    left.forEach((known, other) => {
      const rival = left[index];
      if (kin(known.piece, piece) && (!rival || distance(known.piece, piece) < distance(rival.piece, piece))) index = other;
    });
    if (index >= 0) claim(piece, index);
  }
  return pieces.map((piece) => {
    const key = found.get(piece);
    return { key: key ?? `piece-${(count += 1)}`, piece, fresh: key === undefined };
  });
}
