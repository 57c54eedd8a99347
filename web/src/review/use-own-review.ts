// The hook for a review that this device makes: its progress and result, which nobody else sees.
import { useEffect, useRef, useState } from "preact/hooks";
import type { LineEvaluation, Replay, Review, ReviewState, ReviewedPosition } from "../api.gen.ts";
import { study } from "../api.ts";
import { searchLine } from "../device/line.ts";
import type { Wanted } from "../device/line.ts";
import { asError } from "../notice.ts";
import type { OnNotice } from "../notice.ts";
import type { Reviewing } from "./use-review.ts";

const LINES = 3; // of a position, as in the site's reviews
const MOVES = 12; // of a line
const PATIENCE = 3; // a slow device takes longer instead of looking less deep
const finished = new Map<string, Review>(); // by name, as long as the page is open

/** Return the review of a game by this device. */
export function useOwnReview(game: Replay, onNotice: OnNotice): Reviewing {
  const key = game.review;
  const [review, setReview] = useState(finished.get(key) ?? null);
  const [state, setState] = useState<ReviewState>(resting(key));
  const running = useRef<AbortController | null>(null);
  const cancel = () => {
    running.current?.abort();
    running.current = null;
    setState(resting(key));
  };
  useEffect(() => () => running.current?.abort(), []);
  const begin = () => {
    cancel();
    const own = (running.current = new AbortController());
    reviewed(game, (evaluations, total) => setState({ ...resting(key), state: "running", done: evaluations.length, total, evaluations, yours: true }), own.signal).then(
      (found) => {
        finished.set(key, found);
        setReview(found);
        setState(resting(key));
      },
      (error: unknown) => {
        if (own.signal.aborted) return;
        setState(resting(key));
        onNotice(asError(error));
      },
    );
  };
  return { state, review, begin, cancel };
}

function resting(key: string): ReviewState {
  return { key, state: "none", ahead: 0, done: 0, total: 0, deeper: false, evaluations: [], yours: false, trouble: "", kept: null, better: "" };
}

/** Search all positions of a game; `tell` gets the values so far and the number of positions. */
async function reviewed({ game, setup, moves }: Replay, tell: (evaluations: number[], total: number) => void, stop: AbortSignal): Promise<Review> {
  const line = { spec: game.spec, setup, moves: moves.map((move) => move.text) };
  const view = await study(line);
  stop.throwIfAborted();
  const ends = endsOf(view.moves, view.result !== null, view.toPlay);
  const found: LineEvaluation[] = [];
  tell([], ends.length);
  let asked = 0;
  const next = (): Wanted | null => {
    const ply = ends[asked];
    return ply === undefined ? null : { number: asked++, ply, urgent: false };
  };
  const take = (_: Wanted, one: LineEvaluation) => {
    found.push(one);
    tell(found.map(({ evaluation }) => evaluation), ends.length);
  };
  await searchLine(line, view, next, ({ visits, seconds }) => ({ visits, seconds: PATIENCE * seconds, lines: LINES, mayStop: true }), take, stop);
  const visits = found.map((one) => one.visits).filter(Boolean).sort((one, other) => one - other);
  const judge = found.find(({ bot }) => bot)?.bot ?? "";
  return { judge, visits: visits[visits.length >> 1] ?? 0, made: Date.now() / 1000, positions: found.map(asReviewed) };
}

/** Return the numbers of actions after 0, 1, 2, ... moves; an incomplete last move is left out. */
function endsOf(moves: { ply: number; player: number }[], isOver: boolean, toPlay: number): number[] {
  const last = moves[moves.length - 1];
  const isComplete = isOver || !last || last.player !== toPlay;
  return [0, ...moves.map((move) => move.ply)].slice(0, isComplete ? undefined : -1);
}

function asReviewed({ evaluation, bestMove, lines, lead, proved }: LineEvaluation): ReviewedPosition {
  const told = lines.map((line) => ({
    moves: line.moves.slice(0, MOVES).map((move) => move.text),
    evaluation: line.evaluation,
    visits: line.visits,
    proved: line.proved,
    winsIn: line.winsIn,
    words: line.words,
  }));
  return { evaluation, bestMove, lines: told, ownership: [], lead, proved };
}
