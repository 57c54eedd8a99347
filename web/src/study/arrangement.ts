// The position editor without its display: how a click with a tool changes pieces and walls, without the game's rules.
import type { Board, Choice, Edge, Kit, Piece, PieceKind } from "../api.gen.ts";
import { allCells, sameCell } from "../board/geometry.ts";
import type { Cell } from "../board/geometry.ts";

/** The pieces and walls on the board. */
export interface Placed {
  pieces: Piece[];
  edges: Edge[];
}

/** The selected tool: what a click does. */
export type Tool = { does: "move" | "remove" | "wall" } | { does: "put"; kind: PieceKind };

export type Act = { kind: "cell"; at: Cell; from: Cell | null } | { kind: "right" | "top"; at: Cell; from: null };

/** List every possible act with a tool. */
export function actsOf(kit: Kit, placed: Placed, tool: Tool): Act[] {
  const cells = allCells(kit.board);
  const stands = (at: Cell) => placed.pieces.some((piece) => sameCell(piece.at, at));
  const put = (at: Cell): Act => ({ kind: "cell", at, from: null });
  switch (tool.does) {
    case "put":
      return cells.map(put);
    case "move":
      return cells.filter(stands).flatMap((from) => cells.filter((at) => !sameCell(at, from)).map((at): Act => ({ kind: "cell", at, from })));
    case "wall":
      return sidesOf(kit);
    default: {
      const there = (act: Act) => placed.edges.some((edge) => edge.side === act.kind && sameCell(edge.at, act.at));
      return [...cells.filter((at) => placed.pieces.some((piece) => sameCell(piece.at, at) && !isSingle(kit, piece))).map(put), ...sidesOf(kit).filter(there)];
    }
  }
}

/** List the sides between two cells that can take a wall. */
function sidesOf({ board, edges }: Kit): Act[] {
  const inside = (side: string, [row, column]: Cell) => (side === "right" ? column < board.columns - 1 : row > 0);
  return edges.flatMap((side) =>
    side === "right" || side === "top" ? allCells(board).flatMap((at): Act[] => (inside(side, at) ? [{ kind: side, at, from: null }] : [])) : [],
  );
}

/** Convert acts to a board's choices; each action is the act's index. */
export function choicesOf(acts: Act[]): Choice[] {
  return acts.map(({ kind, at, from }, action) => ({
    action,
    text: "",
    kind,
    at: [at[0], at[1]],
    source: from && [from[0], from[1]],
    label: null,
    move: null,
    ask: null,
  }));
}

/** Return the pieces and walls after an act. */
export function after(kit: Kit, placed: Placed, tool: Tool, act: Act): Placed {
  const at: [number, number] = [act.at[0], act.at[1]];
  const here = placed.pieces.filter((piece) => sameCell(piece.at, at));
  if (act.kind !== "cell") {
    const rest = placed.edges.filter((edge) => edge.side !== act.kind || !sameCell(edge.at, at));
    const adds = rest.length === placed.edges.length && tool.does === "wall";
    return { ...placed, edges: adds ? [...rest, { at, side: act.kind, owner: null }] : rest };
  }
  if (tool.does === "remove") return { ...placed, pieces: placed.pieces.filter((piece) => !sameCell(piece.at, at) || isSingle(kit, piece)) };
  if (tool.does === "put") {
    const { shape, owner, single } = tool.kind;
    const own = (piece: Piece) => piece.shape === shape && piece.owner === owner;
    if (here.some(own)) return single ? placed : { ...placed, pieces: placed.pieces.filter((piece) => !here.includes(piece)) };
    const old = placed.pieces.find(own);
    if (single && old) return moved(kit, placed, old, at);
    return here.some((piece) => isSingle(kit, piece)) ? placed : { ...placed, pieces: [...placed.pieces.filter((piece) => !here.includes(piece)), { at, shape, owner }] };
  }
  const goes = [...placed.pieces].reverse().find((piece) => sameCell(piece.at, act.from));
  return goes ? moved(kit, placed, goes, at) : placed;
}

/** Move a piece; a piece on its new cell is removed, or swapped with it if it must stay on the board. */
function moved(kit: Kit, placed: Placed, goes: Piece, at: [number, number]): Placed {
  const pieces = placed.pieces.flatMap((piece) => {
    if (piece === goes) return [{ ...piece, at }];
    if (!sameCell(piece.at, at)) return [piece];
    return isSingle(kit, piece) ? [{ ...piece, at: goes.at }] : [];
  });
  return { ...placed, pieces };
}

/** Remove everything except the pieces that must stay on the board. */
export function cleared(kit: Kit, placed: Placed): Placed {
  return { pieces: placed.pieces.filter((piece) => isSingle(kit, piece)), edges: [] };
}

function isSingle(kit: Kit, piece: Piece): boolean {
  return kit.kinds.some((kind) => kind.single && kind.shape === piece.shape && kind.owner === piece.owner);
}

/** Return the board to draw. */
export function drawn(kit: Kit, placed: Placed, acts: Act[]): Board {
  return { ...kit.board, ...placed, choices: choicesOf(acts) };
}
