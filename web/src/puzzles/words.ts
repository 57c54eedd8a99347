// What the page says about puzzles; pure, so that it can be tested.
import type { PuzzleView, Solution } from "../api.gen.ts";
import { signed } from "../game/words.ts";

const GOALS = {
  win: ["Find the move that wins.", "Find a move that wins"],
  draw: ["Find the move that holds the draw.", "Find a move that holds the draw"],
  good: ["Find the only good move.", "Find a good move"],
} as const;

export function goalWords({ goal, right }: Pick<PuzzleView, "goal" | "right">): string {
  const [one, several] = GOALS[goal];
  return right === 1 ? one : `${several}; there are ${right}.`;
}

/** `3 puzzles, 1 solved`. */
export function countWords(puzzles: string[], solved: Set<string>): string {
  const count = puzzles.length === 1 ? "1 puzzle" : `${puzzles.length} puzzles`;
  const done = puzzles.filter((id) => solved.has(id)).length;
  return done === 0 ? count : done === puzzles.length ? `${count}, all solved` : `${count}, ${done} solved`;
}

/** The puzzle to go on with: the next one in the row that is not solved, else simply the next; null where there is one only. */
export function nextPuzzle(puzzles: string[], id: string, solved: Set<string>): string | null {
  const at = puzzles.indexOf(id);
  const others = [...puzzles.slice(at + 1), ...puzzles.slice(0, Math.max(0, at))];
  return others.find((other) => !solved.has(other)) ?? others[0] ?? null;
}

/** A value that the first player sees, with its sign, as `player` sees it. */
export function valueFor(player: number, value: number): string {
  return signed(player === 1 ? -value : value);
}

/** What was thought of the moves that are not right, seen by `player`, and who says so. */
export function reasons(found: Solution, player: number): string[] {
  const { played, wrong, short, proved, model, visits } = found;
  const [valuePlayed, valueWrong, valueShort] = [found.valuePlayed, found.valueWrong, found.valueShort].map((one) => valueFor(player, one));
  const other = wrong && wrong !== played ? ` The best of the other moves that it looked at, ${wrong}, is worth ${valueWrong}.` : "";
  return [
    `In the game, ${played} was played: ${valuePlayed}.${other}`,
    `${proved ? "The outcome is proved by the search of" : "So says"} ${model}, after ${visits} visits; after ${short} it thought ${valueShort}.`,
  ];
}
