// A best move as something to draw: the choices that its text names, as far as the position offers them.
import type { Board, Choice } from "../api.gen.ts";
import { turned } from "../board/turned.ts";

export function hintFrom(move: string, board: Board, flip: boolean): Choice[] {
  const { choices } = flip ? turned(board) : board;
  const find = (text: string) => choices.find((choice) => (choice.move ?? choice.text) === text || choice.text === text);
  const whole = find(move);
  if (whole) return [whole];
  // a move of several actions: the first one stands here; later ones may only be possible after it
  return move
    .split(".")
    .map(find)
    .filter((choice) => choice !== undefined);
}
