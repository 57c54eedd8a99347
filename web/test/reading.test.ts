import assert from "node:assert/strict";
import { test } from "node:test";
import type { Board } from "../src/api.gen.ts";
import { changes, reading, wallWords } from "../src/board/reading.ts";
import { board, choice, piece } from "./boards.ts";

test("the description of a cell names its piece, walls, marks and possible actions", () => {
  const here = board({
    pieces: [piece("cat", 1, 1), piece("mouse", 0, 0, 1)],
    edges: [
      { at: [1, 1], side: "right", owner: 0 },
      { at: [1, 1], side: "top", owner: 0 },
      { at: [2, 1], side: "top", owner: 1 },
      { at: [1, 0], side: "right", owner: 1 },
    ],
    marks: [{ at: [1, 1], kind: "last" }],
    choices: [choice("Ca1", "cell", [2, 0], [1, 1])],
  });
  assert.equal(reading(here, [1, 1], 0), "b2, your cat, wall above and on the right and below and on the left, last move, can move");
  assert.equal(reading(here, [0, 0], 0), "a3, opponent's mouse");
  assert.equal(reading(here, [0, 0], null), "a3, mouse of player 2");
  assert.equal(reading(here, [2, 0], 0), "a1, empty, can be played");
});

test("a wall is named by a neighbouring cell on the board", () => {
  const words = (side: string, at: [number, number]) => wallWords(board(), { at, side });
  assert.equal(words("right", [1, 1]), "wall right of b2");
  assert.equal(words("top", [1, 1]), "wall above b2");
  assert.equal(words("right", [1, -1]), "wall left of a2");
  assert.equal(words("top", [3, 2]), "wall below c1");
});

test("a stone is attributed to the player who has its colour", () => {
  const stones = { pieces: [piece("stone", 0, 0, 0), piece("stone", 1, 1, 1)] };
  const words = (colours: Board["colours"], you: number | null) =>
    stones.pieces.map(({ at }) => reading(board({ ...stones, colours, paints: ["black", "white"] }), at, you).split(", ")[1]);
  assert.deepEqual(words([0, 1], 0), ["your stone", "opponent's stone"]);
  assert.deepEqual(words([1, 0], 0), ["opponent's stone", "your stone"]);
  assert.deepEqual(words([1, 0], null), ["stone of player 2", "stone of player 1"]);
  assert.deepEqual(words([null, null], 0), ["black stone", "white stone"], "before colours are chosen");
});

test("steps, walls, captures and new pieces are described differently", () => {
  const before = board({ pieces: [piece("cat", 0, 0), piece("pawn", 2, 2, 1)] });
  const step = changes(before, board({ pieces: [piece("cat", 0, 1), piece("pawn", 2, 2, 1)] }));
  assert.deepEqual(step, { words: ["cat to b3"], moved: 1, walls: 0, taken: 0 });
  const wall = changes(before, { ...before, edges: [{ at: [1, 0], side: "top", owner: 0 }] });
  assert.deepEqual(wall, { words: ["wall above a2"], moved: 0, walls: 1, taken: 0 });
  const capture = changes(before, board({ pieces: [piece("cat", 2, 2)] }));
  assert.deepEqual(capture, { words: ["cat to c1", "pawn taken on c1"], moved: 1, walls: 0, taken: 1 });
  const set = changes(before, { ...before, pieces: [...before.pieces, piece("stone", 1, 1)] });
  assert.deepEqual(set.words, ["stone on b2"]);
});

test("a ko capture and a capturing promotion are captures; a turned disc is not", () => {
  const black = (row: number, column: number) => piece("stone", row, column, 0);
  const white = (row: number, column: number) => piece("stone", row, column, 1);
  const ko = changes(board({ pieces: [black(0, 0), white(1, 1)] }), board({ pieces: [black(0, 0), black(1, 2)] }));
  assert.deepEqual(ko, { words: ["stone on c2", "stone taken on b2"], moved: 1, walls: 0, taken: 1 });
  const promotion = changes(
    board({ pieces: [piece("pawn", 1, 1), piece("rook", 0, 2, 1), piece("king", 2, 2, 1)] }),
    board({ pieces: [piece("queen", 0, 2), piece("king", 2, 2, 1)] }),
  );
  assert.deepEqual(promotion.words, ["queen on c3", "rook taken on c3"]);
  const turned = changes(board({ pieces: [black(0, 0), white(0, 1)] }), board({ pieces: [black(0, 0), black(0, 1), black(0, 2)] }));
  assert.equal(turned.taken, 0);
});
