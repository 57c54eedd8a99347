// Stores the analysis tree in the history entry, which the browser keeps on a reload, the back button and a reopened tab.
import type { Named } from "./saved.ts";
import type { Tree } from "./tree.ts";

export interface Kept {
  tree: Tree;
  /** The node on the board; the address leads to the same position. */
  at: number;
  named: Named;
}

/** Return the state to store in the history entry. */
export function toKeep(tree: Tree, at: number, named: Named): { study: Kept } {
  return { study: { tree, at, named } };
}

/** Read the tree from the current history entry; null after following a link or pasting an address. */
export function kept(): Kept | null {
  const found = (history.state as { study?: Partial<Kept> } | null)?.study;
  if (!found || !Array.isArray(found.tree) || typeof found.at !== "number") return null;
  return found.tree[found.at] ? { tree: found.tree, at: found.at, named: found.named ?? null } : null;
}
