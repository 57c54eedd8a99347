// A small game stands for the site and for its compiled rules: two cats step and build walls, two actions a turn.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Board, Choice } from "../src/api.gen.ts";
import { Seen, playAhead } from "../src/board/ahead.ts";
import type { Known, Turn } from "../src/board/ahead.ts";
import { board, piece } from "./boards.ts";

const SIDE = 3;
const STEPS = [[-1, 0], [0, 1], [1, 0], [0, -1]] as const; // actions 0 to 3; action 4 + n builds a wall right of cell n
const MET = 2; // the outcome when a cat enters the middle
const at = (cell: number): [number, number] => [Math.floor(cell / SIDE), cell % SIDE];

/** A state: the mover, the actions of the unfinished move, both cats' cells, and the walls from index 4 on. */
const start = Uint8Array.from([0, 0, 6, 2, ...Array.from({ length: SIDE * SIDE }, () => 0)]);

const stepOf = (state: Uint8Array, action: number): number | null => {
  const [row, column] = at(state[2 + (state[0] ?? 0)] ?? 0);
  const [down, right] = STEPS[action] ?? [0, 0];
  const [to, across] = [row + down, column + right];
  const cell = SIDE * to + across;
  return to < 0 || to >= SIDE || across < 0 || across >= SIDE || cell === state[3 - (state[0] ?? 0)] ? null : cell;
};
const rules: Known["rules"] = {
  toPlay: (state) => state[0] ?? 0,
  outcome: (state) => (state.slice(2, 4).includes(4) ? MET : 0),
  legal: (state) => Array.from({ length: 4 + SIDE * SIDE }, (_, action) => action).filter((action) => (action < 4 ? stepOf(state, action) !== null : !state[action] && action % SIDE)),
  apply: (state, action) => {
    if (!rules.legal(state).includes(action)) throw new Error("illegal");
    const next = state.slice();
    const [mover = 0, step] = state;
    if (action < 4) next[2 + mover] = stepOf(state, action) ?? 0;
    else next[action] = 1 + mover;
    [next[0], next[1]] = step ? [1 - mover, 0] : [mover, 1];
    return next;
  },
};

/** The site's board. */
function shown(state: Uint8Array): Board {
  const [mover = 0, , first = 0, second = 0] = state;
  const cat = at(state[2 + mover] ?? 0);
  const choices = rules.legal(state).map((action): Choice => {
    const common = { action, text: `${action}`, label: null, move: null, ask: null };
    if (action >= 4) return { ...common, kind: "right", at: at(action - 4), source: null };
    return { ...common, kind: "cell", at: at(stepOf(state, action) ?? 0), source: cat };
  });
  const edges = [...state].flatMap((owner, index) => (index >= 4 && owner ? [{ at: at(index - 4), side: "right" as const, owner: owner - 1 }] : []));
  return board({ rows: SIDE, columns: SIDE, pieces: [piece("cat", ...at(first), 0), piece("cat", ...at(second), 1)], edges, choices: rules.outcome(state) ? [] : choices });
}

const turnOf = (state: Uint8Array): Turn => ({ board: shown(state), toPlay: state[0] ?? 0, step: state[1] ?? 0 });

/** Play actions at the site, which teaches what boards show. */
function watched(seen: Seen, state: Uint8Array, actions: number[]): Uint8Array {
  for (const action of actions) {
    const turn = turnOf(state);
    seen.learn(turn);
    state = rules.apply(state, action);
    const choice = turn.board.choices.find((one) => one.action === action);
    if (choice) seen.compare(turn, choice, shown(state));
  }
  return state;
}

const listed = ({ pieces, edges }: Board) => [...pieces, ...edges].map((one) => JSON.stringify(Object.entries(one).sort())).sort();
const places = (choices: Choice[]) => choices.map(({ action, kind, at, source }) => JSON.stringify([action, kind, at, source])).sort();

test("after a turn was seen, the next one shows each action and the choices after it at once", () => {
  const seen = new Seen();
  const state = watched(seen, start, [0, 8, 2, 11]); // a step and a wall of each player
  for (const action of [0, 2, 5, 7]) {
    if (!rules.legal(state).includes(action)) continue;
    const turn = playAhead(seen, { rules, state }, turnOf(state), [action]);
    const real = rules.apply(state, action);
    assert.ok(turn, `${action}`);
    assert.deepEqual([turn.toPlay, turn.step], [0, 1]);
    assert.deepEqual(listed(turn.board), listed(shown(real)));
    const expected = places(shown(real).choices);
    const found = places(turn.board.choices);
    assert.ok(found.every((one) => expected.includes(one)), "no choice is wrong");
    assert.ok(found.length >= expected.length - 2, "only steps in directions never seen wait for the site");
  }
});

test("nothing is foreseen before the site has shown it", () => {
  const seen = new Seen();
  assert.equal(playAhead(seen, { rules, state: start }, turnOf(start), [0]), null);
  seen.learn(turnOf(start));
  assert.equal(playAhead(seen, { rules, state: start }, turnOf(start), [0]), null, "its effect was not seen");
  const once = new Seen();
  watched(once, start, [0]);
  const turn = playAhead(once, { rules, state: start }, turnOf(start), [0]);
  assert.deepEqual(turn?.board.pieces[0]?.at, [1, 0]);
  assert.deepEqual(turn?.board.choices, [], "boards of a second action were not seen");
});

test("an effect that once was different is not expected again", () => {
  const seen = new Seen();
  const state = watched(seen, start, [0, 8, 2, 11]);
  const turn = turnOf(state);
  const choice = turn.board.choices.find(({ kind }) => kind === "right");
  assert.ok(choice && seen.after(turn, choice));
  seen.compare(turn, choice, shown(state)); // no wall appeared
  assert.equal(seen.after(turn, choice), null);
  assert.equal(playAhead(seen, { rules, state }, turn, [choice.action]), null);
});

test("an action whose place changes in no known way is left out", () => {
  const seen = new Seen();
  const state = watched(seen, start, [0, 8, 2, 11]);
  const turn = turnOf(state);
  const [strange] = turn.board.choices.filter(({ kind }) => kind === "right");
  assert.ok(strange);
  assert.ok(seen.choices(turn, [strange.action]).length);
  seen.learn({ ...turn, board: { ...turn.board, choices: [{ ...strange, at: [2, 2] }] } });
  assert.deepEqual(seen.choices(turn, [strange.action]), []);
});

test("with other numbers of actions than the site's, nothing is foreseen", () => {
  const seen = new Seen();
  const state = watched(seen, start, [0, 8, 2, 11]);
  const other = { ...rules, legal: (now: Uint8Array) => rules.legal(now).map((action) => action + 1) };
  assert.equal(playAhead(seen, { rules: other, state }, turnOf(state), [1]), null);
});

test("an action that ends the game offers no further ones, and an end is not played on", () => {
  const seen = new Seen();
  const state = watched(seen, start, [0, 8, 2, 11]);
  const turn = playAhead(seen, { rules, state }, turnOf(state), [1]);
  assert.deepEqual(turn?.board.pieces[0]?.at, [1, 1]);
  assert.deepEqual(turn?.board.choices, []);
  assert.equal(playAhead(seen, { rules, state }, turnOf(state), [1, 0]), null);
});

test("two actions in advance end the turn", () => {
  const seen = new Seen();
  const state = watched(seen, start, [0, 8, 2, 11]);
  const turn = playAhead(seen, { rules, state }, turnOf(state), [5, 7]);
  assert.deepEqual([turn?.toPlay, turn?.step], [1, 0]);
  assert.equal(turn?.board.edges.length, 4);
});
