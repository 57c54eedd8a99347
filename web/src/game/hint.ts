// Converts the text of a best move into choices to draw; later steps of the move need not be legal choices yet.
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
  const standing = new Map<string, [number, number]>(); // the current cell of each piece, by the prefix of its steps
  return move.split(".").flatMap((text, number) => {
    const step = board.choices.find((choice) => choice.text === text) ?? likeAnother(text, board, -1 - number);
    if (!step) return [];
    const sign = signOf(step, board);
    const source = (step.source && standing.get(sign)) ?? step.source;
    if (step.source && step.at) standing.set(sign, step.at);
    return [{ ...step, source }];
  });
}

/** Build a step that is not a legal choice yet: the prefix of a legal choice with the name of another cell. */
function likeAnother(text: string, board: Board, action: number): Choice | null {
  const like = board.choices.find((choice) => signOf(choice, board) && text.startsWith(signOf(choice, board)));
  const at = like && allCells(board).find((cell) => signOf(like, board) + cellName(board, cell) === text);
  return like && at ? { ...like, action, text, at: [...at] } : null;
}

/** Return the prefix before the cell in a choice's text: `C` of `Ca4`. */
function signOf({ text, at }: Choice, board: Board): string {
  const name = at ? cellName(board, at as Cell) : "";
  return name && text.endsWith(name) ? text.slice(0, -name.length) : "";
}
