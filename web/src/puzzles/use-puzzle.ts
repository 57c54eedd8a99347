// The hook for solving a puzzle: a study board whose first complete move is checked by the site.
import { useState } from "preact/hooks";
import { useGone } from "../answer.ts";
import type { MoveInfo, PuzzleView, RatedTry, Solution } from "../api.gen.ts";
import { giveUp, solution, tryPuzzle } from "../api.ts";
import { asError } from "../notice.ts";
import type { OnNotice } from "../notice.ts";
import { useStudy } from "../study/use-study.ts";
import type { Study } from "../study/use-study.ts";
import { useTrying } from "../study/use-trying.ts";
import type { Stage } from "../study/use-trying.ts";
import { solve } from "./solved.ts";

export interface Solving {
  study: Study;
  stage: Stage;
  /** The last checked move, in notation. */
  move: string;
  found: Solution | null;
  /** What the first try changed; null before it, and if an earlier visit made it. */
  rated: RatedTry | null;
  again: () => void;
  show: () => void;
  playLine: (actions: number[], moves: MoveInfo[]) => void;
}

export function usePuzzle(game: string, puzzle: PuzzleView, onNotice: OnNotice): Solving {
  const study = useStudy(puzzle, puzzle.view, onNotice);
  const [move, setMove] = useState("");
  const [found, setFound] = useState<Solution | null>(null);
  const [rated, setRated] = useState<RatedTry | null>(null);
  const gone = useGone();
  const { view } = study;
  const complain = (error: unknown) => gone.current || onNotice(asError(error));

  const explain = async () => {
    const answer = await solution(game, puzzle.id);
    if (!gone.current) setFound(answer);
  };
  const judge = async () => {
    const verdict = await tryPuzzle(game, puzzle.id, view.actions.slice(puzzle.view.actions.length));
    if (verdict.right) solve(puzzle.id);
    if (gone.current) return verdict.right;
    setMove(verdict.move);
    if (verdict.rated) setRated(verdict.rated);
    if (verdict.right) explain().catch(complain);
    return verdict.right;
  };
  const { stage, again, show, reopen } = useTrying(study, puzzle.player, judge, onNotice);

  return {
    study,
    stage,
    move,
    found,
    rated,
    again,
    show: () => {
      show();
      const told = async () => {
        const counted = await giveUp(game, puzzle.id);
        if (counted && !gone.current) setRated(counted);
        await explain();
      };
      told().catch((error: unknown) => {
        complain(error);
        reopen(); // so that the solution can be requested again
      });
    },
    playLine: study.playFromStart,
  };
}
