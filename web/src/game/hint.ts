// A best move as something to draw, from its text: choices that the position offers, and steps that come after them.
import type { Board, Choice } from "../api.gen.ts";
import { allCells, cellName } from "../board/geometry.ts";
import type { Cell } from "../board/geometry.ts";
import { turned } from "../board/turned.ts";

export function hintFrom(move: string, board: Board, flip: boolean): Choice[] {
  const found = stepsOf(move, board);
  return flip ? turned({ ...board, choices: found }).choices : found;
}

function stepsOf(move: string, board: Board): Choice[] {
  const whole = board.choices.find((choice) => choice.move === move || choice.text === move);
  if (whole) return [whole];
  const standing = new Map<string, [number, number]>(); // where a piece is by now, by the sign with which its steps begin
  return move.split(".").flatMap((text, number) => {
    const step = board.choices.find((choice) => choice.text === text) ?? likeAnother(text, board, -1 - number);
    if (!step) return [];
    const sign = signOf(step, board);
    const source = (step.source && standing.get(sign)) ?? step.source;
    if (step.source && step.at) standing.set(sign, step.at);
    return [{ ...step, source }];
  });
}

/** A step that is only possible later, or goes further than one choice: another choice's sign, with the name of a cell. */
function likeAnother(text: string, board: Board, action: number): Choice | null {
  const like = board.choices.find((choice) => signOf(choice, board) && text.startsWith(signOf(choice, board)));
  const at = like && allCells(board).find((cell) => signOf(like, board) + cellName(board, cell) === text);
  return like && at ? { ...like, action, text, at: [...at] } : null;
}

/** What stands before the cell in a choice's text: `C` of `Ca4`. */
function signOf({ text, at }: Choice, board: Board): string {
  const name = at ? cellName(board, at as Cell) : "";
  return name && text.endsWith(name) ? text.slice(0, -name.length) : "";
}
