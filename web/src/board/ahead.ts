// The board after actions that the site has not confirmed, from the compiled rules and from what the site's boards have shown.
//
// The rules know which actions are legal and whose turn it is, but not how anything looks. The site's boards do: each choice
// tells the place of an action, and each answer what the action did to the board. What was the same every time is expected
// again; what has not been seen yet, or once was different, waits for the site.
import type { Board, Choice, Piece } from "../api.gen.ts";
import { colourOf } from "./colours.ts";
import { sameCell } from "./geometry.ts";
import { edgeKey, kin } from "./same.ts";
import { landing } from "./targets.ts";

/** A board at which a player is to act. */
export interface Turn {
  board: Board;
  toPlay: number;
  /** The number of actions of the unfinished move. */
  step: number;
}

/** A position in the compiled rules of its game. */
export interface Known {
  rules: {
    /** 0 while the game goes on. */
    outcome: (state: Uint8Array) => number;
    toPlay: (state: Uint8Array) => number;
    legal: (state: Uint8Array) => number[];
    /** The state after an action; throws an Error if it is illegal. */
    apply: (state: Uint8Array, action: number) => Uint8Array;
  };
  state: Uint8Array;
}

/** How an action has looked: always at the same place, or always at the same distance from the same piece; null: neither. */
interface Look {
  fixed: Choice | null;
  moving: { piece: Piece; rows: number; columns: number; choice: Choice } | null;
}

/** What the boards of one game have shown. */
export class Seen {
  /** Whether a turn went on after an action. */
  goesOn = false;
  private readonly looks = new Map<string, Look>();
  private readonly effects = new Map<string, boolean>();

  /** Note how the choices of a board look. */
  learn(turn: Turn): void {
    for (const choice of turn.board.choices) {
      const key = keyOf(turn, choice.action);
      const moving = movingOf(turn, choice);
      const old = this.looks.get(key);
      if (!old) this.looks.set(key, { fixed: choice, moving });
      else {
        this.looks.set(key, {
          fixed: old.fixed && alike(old.fixed, choice) && samePlace(old.fixed, choice) ? choice : null,
          moving: old.moving && moving && alike(old.moving.choice, choice) && sameWay(old.moving, moving) ? moving : null,
        });
      }
    }
  }

  /** Note whether an action had the usual effect, as the site's board after it shows. */
  compare(turn: Turn, choice: Choice, after: Board): void {
    const expected = applied(turn, choice);
    const key = effectOf(turn.board, choice);
    if (expected) this.effects.set(key, this.effects.get(key) !== false && looksLike(expected, after));
  }

  /** Return the board after an action, without choices; null if its effect is not known. */
  after(turn: Turn, choice: Choice): Board | null {
    return this.effects.get(effectOf(turn.board, choice)) ? applied(turn, choice) : null;
  }

  /** Return the choices for legal actions, as far as they are known. */
  choices(turn: Turn, legal: readonly number[]): Choice[] {
    return legal.flatMap((action) => {
      const look = this.looks.get(keyOf(turn, action));
      const found = [look?.fixed && standing(turn, look.fixed), look?.moving && moved(turn, look.moving)].filter((one) => !!one);
      const [first, second] = found;
      return first && (!second || samePlace(first, second)) ? [first] : [];
    });
  }
}

const known = new Map<string, Seen>();

/** Return what the boards of a game have shown since the page was opened. */
export function seenOf(spec: string): Seen {
  const seen = known.get(spec) ?? new Seen();
  known.set(spec, seen);
  return seen;
}

/** Return the turn after actions, with the choices that are known; null if something about it is not known. */
export function playAhead(seen: Seen, { rules, state }: Known, turn: Turn, actions: readonly number[]): Turn | null {
  const said = turn.board.choices.map(({ action }) => action);
  if (!sameNumbers(said, rules.legal(state))) return null; // another numbering, or another position
  return actions.reduce<Turn | null>((now, action) => {
    const choice = now?.board.choices.find((one) => one.action === action);
    const board = now && choice && seen.after(now, choice);
    if (!now || !board) return null;
    state = rules.apply(state, action);
    if (rules.outcome(state)) return { ...now, board };
    const toPlay = rules.toPlay(state);
    const next = { board, toPlay, step: toPlay === now.toPlay ? now.step + 1 : 0 };
    return { ...next, board: { ...board, choices: seen.choices(next, rules.legal(state)) } };
  }, turn);
}

function sameNumbers(one: number[], other: number[]): boolean {
  const those = new Set(other);
  return new Set(one).size === those.size && one.every((each) => those.has(each));
}

/** The same number may mean another action for the other player, and later in a move. */
const keyOf = ({ toPlay, step }: Turn, action: number) => `${toPlay} ${step} ${action}`;

const alike = (one: Choice, other: Choice) => one.kind === other.kind && one.label === other.label && one.ask === other.ask;

const samePlace = (one: Choice, other: Choice) => same(one.at, other.at) && same(one.source, other.source);

const same = (one: Choice["at"], other: Choice["at"]) => (one === null ? other === null : sameCell(other, one));

function sameWay(one: NonNullable<Look["moving"]>, other: NonNullable<Look["moving"]>): boolean {
  return kin(one.piece, other.piece) && one.rows === other.rows && one.columns === other.columns;
}

/** Return the piece that a choice moves, if no other one looks like it, and how far it goes. */
function movingOf({ board }: Turn, choice: Choice): Look["moving"] {
  const { at, source } = choice;
  if (!at || !source) return null;
  const piece = [...board.pieces].reverse().find((one) => sameCell(one.at, source));
  if (!piece || !onlyOne(board, piece)) return null;
  return { piece, rows: at[0] - source[0], columns: at[1] - source[1], choice };
}

function onlyOne(board: Board, piece: Piece): Piece | null {
  const found = board.pieces.filter((one) => kin(one, piece));
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** Return a choice at its usual place, if a piece of its player stands at its source. */
function standing({ board, toPlay }: Turn, choice: Choice): Choice | null {
  const own = colourOf(board, toPlay);
  const { source } = choice;
  return !source || board.pieces.some((piece) => piece.owner === own && sameCell(piece.at, source)) ? choice : null;
}

/** Return a choice at its usual distance from its piece. */
function moved({ board }: Turn, { piece, rows, columns, choice }: NonNullable<Look["moving"]>): Choice | null {
  const source = onlyOne(board, piece)?.at;
  if (!source) return null;
  const [row, column] = [source[0] + rows, source[1] + columns];
  return row >= 0 && row < board.rows && column >= 0 && column < board.columns ? { ...choice, at: [row, column], source } : null;
}

/** Return the kind of an action's effect: what it moves or puts, and whether something stands there. */
function effectOf(board: Board, choice: Choice): string {
  const at = (cell: Choice["at"]) => [...board.pieces].reverse().find((piece) => sameCell(piece.at, cell));
  const taken = choice.kind === "cell" && !!at(placeOf(board, choice));
  return [choice.kind, choice.source ? at(choice.source)?.shape : "puts", taken, choice.label].join(" ");
}

const placeOf = (board: Board, choice: Choice): Choice["at"] => (board.style === "drop" ? landing(board, choice) : choice.at);

/** Return the board after the plain effect of an action: a wall, a moved piece, or a new one; null if it has none. */
function applied({ board, toPlay }: Turn, choice: Choice): Board | null {
  const place = placeOf(board, choice);
  if (!place || board.next_colour !== null) return null;
  const at: [number, number] = [place[0], place[1]];
  const rest = { ...board, choices: [], marks: [], stage: "", note: "" };
  if (choice.kind === "right" || choice.kind === "top") {
    return { ...rest, edges: [...board.edges, { at, side: choice.kind, owner: colourOf(board, toPlay) }] };
  }
  if (choice.kind !== "cell") return null;
  const { source } = choice;
  if (!source) {
    const owner = colourOf(board, toPlay);
    const shape = shapeInHand(board, owner);
    return shape === null ? null : { ...rest, pieces: [...board.pieces, { at, shape, owner }] };
  }
  const goes = [...board.pieces].reverse().find((piece) => sameCell(piece.at, source));
  if (!goes) return null;
  return { ...rest, pieces: board.pieces.flatMap((piece) => (piece === goes ? [{ ...piece, at }] : sameCell(piece.at, at) ? [] : [piece])) };
}

/** Return the shape of a new piece: what the board implies, or the only shape of its owner. */
function shapeInHand(board: Board, owner: number | null): string | null {
  if (board.style === "drop") return "disc";
  if (board.style === "points") return "stone";
  const shapes = new Set(board.pieces.filter((piece) => piece.owner === owner).map((piece) => piece.shape));
  const [only] = shapes;
  return shapes.size === 1 && only ? only : null;
}

/** Whether two boards show the same to people, except for marks, notes and choices. */
function looksLike(one: Board, other: Board): boolean {
  const list = ({ pieces, edges }: Board) =>
    [...pieces.map(({ at, shape, owner }) => `${at} ${shape} ${owner}`), ...edges.map((edge) => `${edgeKey(edge)} ${edge.owner}`)].sort();
  const all = (board: Board) => JSON.stringify([list(board), board.labels, board.cells, board.captured, board.paints, board.colours]);
  return all(one) === all(other);
}
