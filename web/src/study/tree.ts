// A tree of variations: every line that was tried, the main line first; pure, so that it can be tested.
import type { MoveInfo } from "../api.gen.ts";

/** An action, named by its place in the tree; place 0 is the position before all of them. */
export interface Twig {
  parent: number;
  action: number;
  /** The move that it belongs to, as far as it is made. */
  text: string;
  player: number;
  /** Actions before it and itself. */
  ply: number;
  /** The ply at which its move began. */
  begin: number;
  /** The main continuation first. */
  children: number[];
}

export type Tree = Twig[];

export const SEED: Tree = [{ parent: -1, action: -1, text: "", player: -1, ply: 0, begin: 0, children: [] }];

const at = (tree: Tree, place: number): Twig => tree[place] ?? SEED[0]!;

/** What `actions` are called after `ply` others, where `moves` is the list of all moves from the first on. */
export function named(actions: number[], moves: MoveInfo[], ply: number): Omit<Twig, "parent" | "children">[] {
  return actions.map((action, index) => {
    const here = ply + index + 1;
    const move = moves.find((one) => one.ply >= here);
    const begin = Math.max(0, ...moves.filter((one) => one.ply < here).map((one) => one.ply));
    return { action, text: move?.text ?? "", player: move?.player ?? 0, ply: here, begin };
  });
}

/** The tree with a line that goes on from `place`, and where it ends; what is there already is not grown again. */
export function grown(tree: Tree, place: number, line: Omit<Twig, "parent" | "children">[]): [Tree, number] {
  let next = tree;
  let here = place;
  for (const twig of line) {
    const known = at(next, here).children.find((child) => at(next, child).action === twig.action);
    if (known !== undefined) {
      here = known;
      continue;
    }
    const fresh = next.length;
    const parent = here;
    next = [
      ...next.map((one, index) => (index === parent ? { ...one, children: [...one.children, fresh] } : one)),
      { ...twig, parent, children: [] },
    ];
    here = fresh;
  }
  return [next, here];
}

/** The places from the first action to `place`. */
export function pathTo(tree: Tree, place: number): number[] {
  const path: number[] = [];
  for (let here = place; here > 0; here = at(tree, here).parent) path.unshift(here);
  return path;
}

/** The actions that lead to `place`. */
export function actionsTo(tree: Tree, place: number): number[] {
  return pathTo(tree, place).map((here) => at(tree, here).action);
}

/** The end of the line that goes on from `place` by main continuations. */
export function endFrom(tree: Tree, place: number): number {
  let here = place;
  for (let child = at(tree, here).children[0]; child !== undefined; child = at(tree, here).children[0]) here = child;
  return here;
}

/** The tree in which the line through `place` is the main line. */
export function promoted(tree: Tree, place: number): Tree {
  const onPath = new Set(pathTo(tree, place));
  return tree.map((one) => {
    const first = one.children.find((child) => onPath.has(child));
    return first === undefined ? one : { ...one, children: [first, ...one.children.filter((child) => child !== first)] };
  });
}

/** The tree without `place` and what follows it; the other places keep their names. */
export function pruned(tree: Tree, place: number): Tree {
  return tree.map((one) => (one.children.includes(place) ? { ...one, children: one.children.filter((child) => child !== place) } : one));
}

/** Whether every action up to `place` is the main one. */
export function isMain(tree: Tree, place: number): boolean {
  return pathTo(tree, place).every((here) => at(tree, at(tree, here).parent).children[0] === here);
}

/** The end of the move that `place` belongs to, back or forth: nobody stops in the middle of a move. */
export function stepBack(tree: Tree, place: number): number {
  const { begin } = at(tree, place);
  let here = at(tree, place).parent;
  while (here > 0 && at(tree, here).ply > begin) here = at(tree, here).parent;
  return Math.max(0, here);
}

export function stepOn(tree: Tree, place: number): number {
  let here = at(tree, place).children[0];
  if (here === undefined) return place;
  for (let next = at(tree, here).children[0]; next !== undefined && at(tree, next).begin === at(tree, here).begin; next = at(tree, here).children[0]) {
    here = next;
  }
  return here;
}

/** A line as it is written: its moves, and after a move the lines that could have been played in its place. */
export interface Written {
  place: number;
  twig: Twig;
  /** Its number, written where a reader needs it: before first players' moves and where a line begins. */
  number: number;
  others: Written[][];
}

/** The line that begins with `place`. */
export function written(tree: Tree, place: number): Written[] {
  const line: Written[] = [];
  for (let here: number | undefined = place; here !== undefined; ) {
    const twig = at(tree, here);
    const siblings: number[] = here === place ? [] : at(tree, twig.parent).children.filter((other) => other !== here);
    const next: number | undefined = twig.children[0];
    // an action in the middle of a move is not written: its move is, at its end
    const middle = next !== undefined && at(tree, next).begin === twig.begin;
    const others = siblings.map((other) => written(tree, other));
    if (!middle) line.push({ place: here, twig, number: numberOf(tree, here), others });
    else if (others.length) line.push({ place: -1, twig, number: 0, others });
    here = next;
  }
  return line;
}

/** A number counts a move of the first player and the answer to it, as the list of moves does. */
function numberOf(tree: Tree, place: number): number {
  let number = 0;
  let before: Twig | undefined;
  for (const twig of pathTo(tree, place).map((here) => at(tree, here))) {
    const answers = before?.player === 0 && twig.player === 1;
    if (twig.begin !== before?.begin && !answers) number += 1;
    before = twig;
  }
  return number;
}
