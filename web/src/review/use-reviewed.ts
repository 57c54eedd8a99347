// Hooks for what follows from a review: values, marks and accuracy.
import { useMemo } from "preact/hooks";
import type { GameState, Review, ReviewState, ReviewedPosition } from "../api.gen.ts";
import type { Judgement, Mark } from "../game/judgement.ts";
import { numberAt } from "../game/words.ts";
import { accuracyOf, errorsIn, marksOf, byPly } from "./accuracy.ts";

export interface Reviewed {
  positions: ReviewedPosition[];
  /** The values by ply, from player 0's view. */
  values: (number | null)[];
  /** The expected leads by ply in points. */
  leads: (number | null)[];
  /** The marks of all moves by ply. */
  marks: Map<number, Mark>;
  /** The errors among them. */
  errors: Map<number, Judgement>;
  /** In per cent. */
  accuracy: [number | null, number | null];
  positionAt: (ply: number) => (Omit<ReviewedPosition, "ownership"> & { ownership: number[][] }) | undefined;
}

export function useReviewed(state: GameState, review: Review | null): Reviewed | null {
  return useMemo(() => {
    if (!review) return null;
    const { moves, ply: plies } = state;
    const { positions } = review;
    const marks = marksOf(moves, positions);
    const positionAt = (ply: number) => {
      const found = positions[numberAt(moves, ply)];
      return found && { ...found, ownership: found.ownership.map((row) => row.map((value) => value / 100)) };
    };
    return { positions, ...byPly(moves, positions, plies), marks, errors: errorsIn(marks), accuracy: accuracyOf(moves, positions), positionAt };
  }, [state, review]);
}

/** Return the values that a running review has found so far, by ply; null if no review runs. */
export function useValuesSoFar({ moves, ply }: GameState, state: ReviewState | null): (number | null)[] | null {
  return useMemo(() => {
    if (state?.state !== "running" || !state.evaluations.length) return null;
    return byPly(moves, state.evaluations.map((evaluation) => ({ evaluation, lead: null })), ply).values;
  }, [moves, ply, state]);
}
