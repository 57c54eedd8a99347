// Evaluates the positions of a game on this device for the evaluation bar, the shown and the latest ones first.
import type { BarEntry, LineEvaluation, StudyLine } from "../api.gen.ts";
import { study } from "../api.ts";
import { searchLine } from "./line.ts";
import type { Wanted } from "./line.ts";

/** A game as far as it is played. */
export interface Followed {
  line: StudyLine & { moves: string[] };
  /** The numbers of actions after 0, 1, 2, ... moves. */
  ends: number[];
  /** The number of moves before the position on the board. */
  at: number;
}

export interface Follower {
  /** Follow the game to its present state. */
  look: (game: Followed) => void;
  stop: () => void;
}

/** Begin to follow a game; `tell` gets all evaluations by number of moves, and a sentence if they cannot go on. */
export function follow(tell: (entries: Map<number, BarEntry>, words: string) => void): Follower {
  let entries = new Map<number, BarEntry>();
  let game: Followed | null = null;
  let running: AbortController | null = null;

  const missing = (taken: Set<number>): Wanted | null => {
    if (!game) return null;
    const { ends, at } = game;
    const last = ends.length - 1;
    const number = [at, last, ...ends.keys()].find((one) => !entries.has(one) && !taken.has(one));
    return number === undefined ? null : { number, ply: ends[number] ?? 0, urgent: number === at || number === last };
  };
  const run = () => {
    running?.abort();
    running = null;
    const taken = new Set<number>(); // searched, but perhaps not put into words yet
    if (!game || document.hidden || !missing(taken)) return;
    const own = (running = new AbortController());
    const stop = own.signal;
    const { line } = game;
    const next = () => {
      const wanted = missing(taken);
      if (wanted) taken.add(wanted.number);
      return wanted;
    };
    const take = ({ number }: Wanted, { evaluation, bestMove, lead, lines }: LineEvaluation) => {
      entries = new Map(entries).set(number, { ply: number, evaluation, bestMove, lead, winsIn: lines[0]?.winsIn ?? 0 });
      tell(entries, "");
    };
    study(line)
      .then((view) => searchLine(line, view, next, (budget) => ({ ...budget, mayStop: true }), take, stop))
      .catch((error: Error) => !stop.aborted && tell(entries, error.message))
      .finally(() => {
        if (running === own) running = null;
      });
  };
  const look = (to: Followed) => {
    const before = game?.line.moves ?? [];
    const { moves } = to.line;
    const changed = before.findIndex((text, index) => text !== moves[index]);
    if (changed >= 0) entries = new Map([...entries].filter(([number]) => number <= changed));
    const isSame = game !== null && changed < 0 && moves.length === before.length;
    game = to;
    if (!isSame || !running) run();
  };
  document.addEventListener("visibilitychange", run);
  const stop = () => {
    running?.abort();
    game = null;
    document.removeEventListener("visibilitychange", run);
  };
  return { look, stop };
}
