// Within how many moves a proved win comes: counted in the proof itself, step by step as `ludus.players.thinking.winning` does.
import { EXPANDED, TERMINAL, missing } from "./layout.ts";
import type { Machine } from "./module.ts";
import { DRAW } from "./rules.ts";
import type { Rules } from "./rules.ts";
import type { Tree } from "./tree.ts";

const MOST_NODES = 5000; // of a proof that are counted
const MOST_LEAVES = 300; // positions with a foreseen win whose actions are tried
const MOST_LEVELS = 60; // actions of a line

class ProofTooLarge extends Error {}

/** Return within how many of its moves the side with a proved win wins by an action of the root; 0: unknown.
 *
 * @param at the child of the root that the action leads to; -1: the action has no visits
 */
export function winsWithin(tree: Tree, rules: Rules, machine: Machine, at: number): number {
  const proof = at >= 0 ? tree.child.proof.get(at) : 0;
  if (proof === 0 || proof === DRAW) return 0;
  const { child } = tree;
  const winner = proof - 1;
  let [nodes, leaves] = [MOST_NODES, MOST_LEAVES];

  /** Return the moves of the winner from a node on; null if it is unknown. */
  function moves(at: number, level: number): number | null {
    if (--nodes < 0 || level > MOST_LEVELS) throw new ProofTooLarge();
    if (child.proof.get(at) !== proof) return null;
    const [kind, mover] = [child.kind.get(at), child.mover.get(at)];
    if (kind === TERMINAL) return 0;
    if (kind !== EXPANDED) return mover === winner && ends(child.node.get(at)) ? 1 : null;
    const first = child.first_child.get(at);
    const below = Array.from({ length: child.num_children.get(at) }, (_, k) => first + k);
    if (mover !== winner) {
      const found = below.map((each) => moves(each, level + 1));
      return found.length === 0 || found.includes(null) ? null : Math.max(...(found as number[]));
    }
    let best: number | null = null;
    for (const each of below) {
      const number = moves(each, level + 1);
      if (number !== null) best = Math.min(best ?? Infinity, number + completes(at, each));
    }
    return best;
  }

  /** Return 1 if the action between two nodes completes a move of the winner, else 0. */
  function completes(at: number, below: number): number {
    return Number(child.mover.get(at) === winner && (child.kind.get(below) === TERMINAL || child.mover.get(below) !== winner));
  }

  /** Return whether an action of the winner ends the game with the win. */
  function ends(node: number): boolean {
    if (--leaves < 0) throw new ProofTooLarge();
    const { at } = machine.trees.get("words") ?? missing("words");
    const size = 8 * machine.game.stateWords;
    return rules.canEnd(machine.bytes({ at: at + node * size }, size).slice(), proof);
  }

  try {
    const number = moves(at, 0);
    return number === null ? 0 : number + completes(0, at);
  } catch (error) {
    if (error instanceof ProofTooLarge) return 0;
    throw error;
  }
}
