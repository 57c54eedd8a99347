// The page's sentences about puzzles. Pure functions.
import type { PuzzleView, Solution, SolverRating } from "../api.gen.ts";
import { chanceOf } from "../chances.ts";
import { counted } from "../game/words.ts";

const GOALS = {
  win: ["Find the move that wins.", "Find a move that wins"],
  draw: ["Find the move that holds the draw.", "Find a move that holds the draw"],
  good: ["Find the only good move.", "Find a good move"],
} as const;

export function goalWords({ goal, right }: Pick<PuzzleView, "goal" | "right">): string {
  const [one, several] = GOALS[goal];
  return right === 1 ? one : `${several}; there are ${right}.`;
}

/** Say a person's rating for the puzzles of a game: `Your rating: 1512 ± 80`. */
export function ratingWords({ rating, deviation, tries }: SolverRating): string {
  if (tries === 0) return "You have no rating for these puzzles yet; your first try at each puzzle counts.";
  return `Your rating: ${rating} ± ${2 * deviation}`;
}

/** Count puzzles in words: `3 puzzles, 1 solved`. */
export function countWords(puzzles: string[], solved: Set<string>): string {
  const count = counted(puzzles.length, "puzzle");
  const done = puzzles.filter((id) => solved.has(id)).length;
  return done === 0 ? count : done === puzzles.length ? `${count}, all solved` : `${count}, ${done} solved`;
}

/** Return the next unsolved puzzle, else the next one; null if there is no other. */
export function nextPuzzle(puzzles: string[], id: string, solved: Set<string>): string | null {
  const at = puzzles.indexOf(id);
  const others = [...puzzles.slice(at + 1), ...puzzles.slice(0, Math.max(0, at))];
  return others.find((other) => !solved.has(other)) ?? others[0] ?? null;
}

/** Explain the evaluations of the wrong moves from `player`'s view, and where they come from. */
export function reasons(found: Solution, player: number): string[] {
  const { played, wrong, short, proved, model, visits } = found;
  const [valuePlayed, valueWrong, valueShort] = [found.valuePlayed, found.valueWrong, found.valueShort].map((one) => chanceOf(one, player));
  const other = wrong && wrong !== played ? ` The best of the other moves, ${wrong}, leaves a win chance of ${valueWrong}.` : "";
  const wasFound = found.lines.some((line) => line.moves[0]?.text === played);
  const missed = short > 0 ? `; with only ${short} visits it estimated ${valueShort}` : "";
  return [
    `${wasFound ? `${played} was played in the game.` : `In the game, ${played} was played (win chance ${valuePlayed}).`}${other}`,
    `${model} ${proved ? "proved the outcome" : "found these chances"} with ${visits} visits${missed}.`,
  ];
}
