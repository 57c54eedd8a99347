// Click targets: groups a board's choices by location, and finds the action that a clicked point means.
import type { Board, Choice, Edge } from "../api.gen.ts";
import { HALF, PITCH, cellAt, centre, sameCell, sideCentre, spotOf } from "./geometry.ts";
import type { Cell, Point } from "./geometry.ts";

/** A cell or a side of one, with the choices located there. */
export interface Target {
  key: string;
  kind: "cell" | "right" | "top";
  at: Cell;
  middle: Point;
  choices: Choice[];
}

/** What a click means. */
export type Meaning =
  | { kind: "act"; action: number }
  | { kind: "select"; source: Cell }
  | { kind: "ask"; choices: Choice[] }
  | { kind: "which-piece" }
  | { kind: "nothing" };

// distances in cell widths
const CORE = 0.34; // from a cell's centre; a click farther out means the wall beside the cell
const LINE = 0.14; // from a wall's centre line; a click this near means that wall even if it is forbidden
const REACH = 0.4; // from a wall's centre line; the farthest click that still means that wall

export function targetsOf(board: Board): Target[] {
  const found = new Map<string, Target>();
  for (const choice of board.choices) {
    if (!choice.at || (choice.kind !== "cell" && choice.kind !== "right" && choice.kind !== "top")) continue;
    const at = board.style === "drop" ? landing(board, choice) : choice.at;
    const key = `${choice.kind}-${at[0]}-${at[1]}`;
    const target = found.get(key);
    if (!target) {
      const middle = choice.kind === "cell" ? centre(board, at) : sideCentre(board, at, choice.kind);
      found.set(key, { key, kind: choice.kind, at, middle, choices: [choice] });
    } else if (!target.choices.some((other) => other.action === choice.action)) {
      target.choices.push(choice);
    }
  }
  return [...found.values()];
}

/** Return the lowest empty hole of a choice's column in a rack. */
export function landing(board: Board, choice: Choice): [number, number] {
  const column = choice.at?.[1] ?? 0;
  const filled = new Set(board.pieces.filter((piece) => piece.at[1] === column).map((piece) => piece.at[0]));
  let row = board.rows - 1;
  while (row > 0 && filled.has(row)) row -= 1;
  return [row, column];
}

/** List the cells of movable pieces. */
export function sourcesOf(board: Board): Cell[] {
  const sources: Cell[] = [];
  for (const { source } of board.choices) {
    if (source && !sources.some((other) => sameCell(other, source))) sources.push(source);
  }
  return sources;
}

/** Return the target at a point: the cell if the point is near its centre, otherwise the nearest side that can take a wall. */
export function targetAt(board: Board, targets: Target[], point: Point): Target | null {
  if (board.style === "drop") {
    return targets.find((target) => target.at[1] === Math.floor(point.x / PITCH)) ?? null;
  }
  const at = cellAt(board, point);
  const own = targets.find((target) => target.kind === "cell" && sameCell(target.at, at)) ?? null;
  if (own && isInCore(board, own.at, point, CORE)) return own;
  let nearest: Target | null = null;
  let least = REACH;
  for (const target of targets) {
    if (target.kind === "cell") continue;
    const across = Math.abs(target.kind === "right" ? point.x - target.middle.x : point.y - target.middle.y);
    const along = Math.abs(target.kind === "right" ? point.y - target.middle.y : point.x - target.middle.x);
    if (along <= HALF && across / PITCH < least) {
      least = across / PITCH;
      nearest = target;
    }
  }
  return nearest ?? own;
}

/** Return the side at a point if no wall can be built there, in a game with walls; otherwise null. */
export function forbiddenAt(board: Board, targets: Target[], point: Point): Edge | null {
  if (board.cells.some(({ centre: moved }) => moved)) return null; // such cells have no common sides
  const walls = new Set<string>(targets.map((target) => target.kind));
  const column = point.x / PITCH;
  const row = point.y / PITCH;
  const right = { at: [Math.floor(row), Math.round(column) - 1] as [number, number], side: "right", owner: null };
  const top = { at: [Math.round(row), Math.floor(column)] as [number, number], side: "top", owner: null };
  const acrossRight = Math.abs(column - Math.round(column));
  const acrossTop = Math.abs(row - Math.round(row));
  const edge = acrossRight < acrossTop ? right : top;
  if (Math.min(acrossRight, acrossTop) > LINE || !walls.has(edge.side)) return null;
  const [first, second] = edge.at;
  const inside = edge.side === "right" ? second >= 0 && second < board.columns - 1 : first > 0 && first < board.rows;
  if (!inside || first < 0 || first >= board.rows || second < 0 || second >= board.columns) return null;
  const here = (other: { at: Cell }) => sameCell(other.at, edge.at);
  if (board.edges.some((other) => other.side === edge.side && here(other))) return null;
  return targets.some((target) => target.kind === edge.side && here(target)) ? null : edge;
}

/** Return the cell of the movable piece at a point. */
export function sourceAt(board: Board, sources: Cell[], point: Point): Cell | null {
  // without walls between the cells, a click at the edge of a cell cannot mean anything else
  const core = board.choices.some(({ kind }) => kind === "right" || kind === "top") ? CORE : 0.5;
  return sources.find((source) => isInCore(board, source, point, core)) ?? null;
}

/** Whether a point is in the middle of a cell, up to a share of its size on each side. */
function isInCore(board: Board, at: Cell, point: Point, core: number): boolean {
  const { x, y, width, height } = spotOf(board, at);
  return Math.abs(point.x - x) <= core * width && Math.abs(point.y - y) <= core * height && sameCell(cellAt(board, point), at);
}

/**
 * Return the choices of a target: moves of the selected piece, and choices without a piece.
 * While no piece is selected, pieces move only if `oneClick` is set.
 */
export function choicesFrom(target: Target, selected: Cell | null, oneClick: boolean): Choice[] {
  if (!selected && oneClick) return target.choices;
  return target.choices.filter((choice) => !choice.source || sameCell(choice.source, selected));
}

/** List the targets to which a piece can be dragged. */
export function reachable(targets: Target[], source: Cell): Target[] {
  return targets.filter((target) => target.choices.some((choice) => sameCell(choice.source, source)));
}

/** Interpret a click on a target or a movable piece while the piece on `selected` is selected; see `choicesFrom`. */
export function meaning(target: Target | null, source: Cell | null, selected: Cell | null, oneClick: boolean): Meaning {
  if (target && selected) {
    const choices = choicesFrom(target, selected, oneClick);
    if (choices.length) return decide(choices);
  }
  if (source) return sameCell(source, selected) ? { kind: "nothing" } : { kind: "select", source };
  if (!target) return { kind: "nothing" };
  const choices = choicesFrom(target, null, oneClick);
  if (choices.length) return decide(choices);
  return selected ? { kind: "nothing" } : { kind: "which-piece" }; // a click beside the selected piece's targets deselects it
}

function decide(choices: Choice[]): Meaning {
  const [first] = choices;
  if (!first) return { kind: "nothing" };
  if (choices.length === 1) return { kind: "act", action: first.action };
  const sources = new Set(choices.map((choice) => String(choice.source)));
  return sources.size > 1 ? { kind: "which-piece" } : { kind: "ask", choices };
}
