// A tree of variations, stored as a list of nodes; an index into the list is called a place. Pure functions.
import type { Board, MoveInfo, TreeMove, TreeNode } from "../api.gen.ts";

/** A node of the tree: one action. Place 0 is the root, the position before all actions. */
export interface Twig {
  parent: number;
  action: number;
  /** The text of the action's move, up to the latest known action. */
  text: string;
  player: number;
  /** The number of actions up to and including this one. */
  ply: number;
  /** The ply before the first action of its move. */
  begin: number;
  /** The places of the continuations, main one first. */
  children: number[];
  /** A comment before the action, where a variation begins. */
  before?: string;
  /** A comment after the action. */
  comment?: string;
  /** Signs such as `!?`. */
  signs?: string;
  /** The signs as numbers. */
  nags?: number[];
  /** Marks on the board that belong to the position. */
  marks?: TreeMove["marks"];
}

export type Tree = Twig[];

export const SEED: Tree = [{ parent: -1, action: -1, text: "", player: -1, ply: 0, begin: 0, children: [] }];

/** Return the tree of a recorded game with comments and variations. */
export function planted(moves: TreeMove[]): Tree {
  const tree: Tree = moves.map((move) => ({ ...move, children: [] }));
  tree.forEach((twig, place) => place > 0 && tree[twig.parent]?.children.push(place));
  return tree;
}

/** Add the marks of a recorded game to a board. */
export function marked(board: Board, marks: TreeMove["marks"] | undefined): Board {
  if (!marks?.length) return board;
  const signs = marks.filter(([, shape]) => shape !== "label").map(([at, kind]) => ({ at, kind }));
  const labels = marks.filter(([, shape]) => shape === "label").map(([at, , text]) => ({ at, text }));
  return { ...board, marks: [...board.marks, ...signs], labels: [...board.labels, ...labels] };
}

/** List the places of a tree: each after its parent, main continuations before the others, without what was deleted. */
function places(tree: Tree): number[] {
  const found = [0];
  for (const place of found) found.push(...at(tree, place).children);
  return found;
}

/** List a tree for the site. */
export function listed(tree: Tree): TreeNode[] {
  const order = places(tree);
  const numbers = new Map(order.map((place, number) => [place, number]));
  return order.map((place) => {
    const { parent, action, before, comment, nags, marks } = at(tree, place);
    // most nodes have none of these, and a request may not be long
    const said = { ...(before && { before }), ...(comment && { comment }), ...(nags?.length && { nags }), ...(marks?.length && { marks }) };
    return { parent: numbers.get(parent) ?? -1, action, ...said };
  });
}

/** Return the number of `place` in the list for the site. */
export function placeIn(tree: Tree, place: number): number {
  return places(tree).indexOf(place);
}

/** Whether a tree is a single line, with nothing written about it. */
export function isLine(tree: Tree): boolean {
  return places(tree).every((place) => {
    const { children, before, comment, nags, marks } = at(tree, place);
    return children.length <= 1 && !before && !comment && !nags?.length && !marks?.length;
  });
}

const at = (tree: Tree, place: number): Twig => tree[place] ?? SEED[0]!;

/** Label the actions that follow ply `ply` with their moves; `moves` lists all moves from ply 0. */
export function named(actions: number[], moves: MoveInfo[], ply: number): Omit<Twig, "parent" | "children">[] {
  return actions.map((action, index) => {
    const here = ply + index + 1;
    const move = moves.find((one) => one.ply >= here);
    const begin = Math.max(0, ...moves.filter((one) => one.ply < here).map((one) => one.ply));
    return { action, text: move?.text ?? "", player: move?.player ?? 0, ply: here, begin };
  });
}

/** Add a line after `place`, reusing existing nodes; return the new tree and the place of the line's end. */
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

/** List the places from the first action to `place`. */
export function pathTo(tree: Tree, place: number): number[] {
  const path: number[] = [];
  for (let here = place; here > 0; here = at(tree, here).parent) path.unshift(here);
  return path;
}

/** List the actions that lead to `place`. */
export function actionsTo(tree: Tree, place: number): number[] {
  return pathTo(tree, place).map((here) => at(tree, here).action);
}

/** Follow the main continuations from `place` to the end of the line. */
export function endFrom(tree: Tree, place: number): number {
  let here = place;
  for (let child = at(tree, here).children[0]; child !== undefined; child = at(tree, here).children[0]) here = child;
  return here;
}

/** Write a comment after the action of `place`, or before all actions. */
export function commented(tree: Tree, place: number, comment: string): Tree {
  return tree.map((one, index) => (index === place ? { ...one, comment } : one));
}

/** The signs that people can give a move, by their numbers. */
export const GLYPHS: Record<number, string> = { 3: "!!", 1: "!", 5: "!?", 6: "?!", 2: "?", 4: "??" };

/** Give the action of `place` one of `GLYPHS`, or none (0); its other signs stay. */
export function signed(tree: Tree, place: number, nag: number): Tree {
  return tree.map((one, index) => {
    if (index !== place) return one;
    const before = (one.nags ?? []).find((old) => old in GLYPHS);
    const others = (one.nags ?? []).filter((old) => old !== before);
    const rest = (one.signs ?? "").replace(GLYPHS[before ?? 0] ?? "", "");
    return { ...one, nags: nag ? [nag, ...others] : others, signs: `${GLYPHS[nag] ?? ""}${rest}` };
  });
}

/** Return the end of the alternative to the move of `place`: the next one (1) or the one before (-1); `place` without one. */
export function beside(tree: Tree, place: number, by: 1 | -1): number {
  const { begin } = at(tree, place);
  for (let here = place; here > 0 && at(tree, here).begin === begin; here = at(tree, here).parent) {
    const { children } = at(tree, at(tree, here).parent);
    const other = children[(children.indexOf(here) + by + children.length) % children.length];
    if (other !== undefined && other !== here) return endOfMove(tree, other);
  }
  return place;
}

/** Make the line through `place` the main line. */
export function promoted(tree: Tree, place: number): Tree {
  const onPath = new Set(pathTo(tree, place));
  return tree.map((one) => {
    const first = one.children.find((child) => onPath.has(child));
    return first === undefined ? one : { ...one, children: [first, ...one.children.filter((child) => child !== first)] };
  });
}

/** Remove `place` and its continuations; the other places keep their indices. */
export function pruned(tree: Tree, place: number): Tree {
  return tree.map((one) => (one.children.includes(place) ? { ...one, children: one.children.filter((child) => child !== place) } : one));
}

/** Whether `place` is on the main line. */
export function isMain(tree: Tree, place: number): boolean {
  return pathTo(tree, place).every((here) => at(tree, at(tree, here).parent).children[0] === here);
}

/** Return the place before the move of `place`, skipping the middle of moves. */
export function stepBack(tree: Tree, place: number): number {
  const { begin } = at(tree, place);
  let here = at(tree, place).parent;
  while (here > 0 && at(tree, here).ply > begin) here = at(tree, here).parent;
  return Math.max(0, here);
}

/** Return the place after the next main move, skipping the middle of moves. */
export function stepOn(tree: Tree, place: number): number {
  const child = at(tree, place).children[0];
  return child === undefined ? place : endOfMove(tree, child);
}

/** Follow the main continuations of `place` to the end of its move. */
function endOfMove(tree: Tree, place: number): number {
  let here = place;
  for (let next = at(tree, here).children[0]; next !== undefined && at(tree, next).begin === at(tree, here).begin; next = at(tree, here).children[0]) {
    here = next;
  }
  return here;
}

/** An entry of a line in print: a move, followed by the alternatives to it. */
export interface Written {
  place: number;
  twig: Twig;
  /** The move's number; displayed before a first player's move and where a line begins. */
  number: number;
  others: Written[][];
}

/** Return the printed form of the line that begins with `place`. */
export function written(tree: Tree, place: number): Written[] {
  const line: Written[] = [];
  for (let here: number | undefined = place; here !== undefined; ) {
    const twig = at(tree, here);
    const siblings: number[] = here === place ? [] : at(tree, twig.parent).children.filter((other) => other !== here);
    const next: number | undefined = twig.children[0];
    // a move is printed once, at its last action
    const middle = next !== undefined && at(tree, next).begin === twig.begin;
    const others = siblings.map((other) => written(tree, other));
    if (!middle) line.push({ place: here, twig, number: numberOf(tree, here), others });
    else if (others.length) line.push({ place: -1, twig, number: 0, others });
    here = next;
  }
  return line;
}

/** Return the number of a move; a first player's move and the reply to it share one. */
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
