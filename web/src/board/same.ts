// Comparison of walls by location, and of pieces by shape and owner.
import type { Edge, Piece } from "../api.gen.ts";
import type { Cell } from "./geometry.ts";

export function edgeKey({ at, side }: { at: Cell; side: Edge["side"] }): string {
  return `${side}-${at[0]}-${at[1]}`;
}

export function kin(a: Piece, b: Piece): boolean {
  return a.shape === b.shape && a.owner === b.owner;
}
