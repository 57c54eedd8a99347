// The tree of an analysis board lies beside its address: the browser has it after a reload, a closed tab, or on the way back.
import type { Tree } from "./tree.ts";

export interface Kept {
  tree: Tree;
  /** The place on the board, which the address leads to as well. */
  at: number;
}

/** What is kept with an entry of the browser's history. */
export function toKeep(tree: Tree, at: number): { study: Kept } {
  return { study: { tree, at } };
}

/** What was kept with this very entry of the browser's history; a link or a pasted address brings nothing. */
export function kept(): Kept | null {
  const found = (history.state as { study?: Partial<Kept> } | null)?.study;
  if (!found || !Array.isArray(found.tree) || typeof found.at !== "number") return null;
  return found.tree[found.at] ? { tree: found.tree, at: found.at } : null;
}
