// The hook for solving a puzzle: a study board whose first complete move is checked by the site.
import { useEffect, useState } from "preact/hooks";
import { useGone } from "../answer.ts";
import type { MoveInfo, PuzzleView, RatedTry, Solution } from "../api.gen.ts";
import { giveUp, solution, tryPuzzle } from "../api.ts";
import { asError } from "../notice.ts";
import type { OnNotice } from "../notice.ts";
import { play } from "../sound.ts";
import { useStudy } from "../study/use-study.ts";
import type { Study } from "../study/use-study.ts";
import { solve } from "./solved.ts";

/** In `judging` and `wrong`, a complete move has been made; in `right` and `shown`, the board can be played on freely. */
export type Stage = "open" | "judging" | "wrong" | "right" | "shown";

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
  const [stage, setStage] = useState<Stage>("open");
  const [move, setMove] = useState("");
  const [found, setFound] = useState<Solution | null>(null);
  const [rated, setRated] = useState<RatedTry | null>(null);
  const gone = useGone();
  const { view } = study;

  const explain = async () => {
    const answer = await solution(game, puzzle.id);
    if (!gone.current) setFound(answer);
  };
  const judge = async () => {
    setStage("judging");
    try {
      const verdict = await tryPuzzle(game, puzzle.id, view.actions.slice(puzzle.view.actions.length));
      if (verdict.right) solve(puzzle.id);
      if (gone.current) return;
      setMove(verdict.move);
      if (verdict.rated) setRated(verdict.rated);
      setStage(verdict.right ? "right" : "wrong");
      play(verdict.right ? "win" : "loss");
      if (verdict.right) explain().catch((error: unknown) => gone.current || onNotice(asError(error)));
    } catch (error) {
      if (gone.current) return;
      onNotice(asError(error));
      setStage("open");
      study.start();
    }
  };
  useEffect(() => {
    const isOver = view.result !== null || view.toPlay !== puzzle.player;
    if (stage === "open" && isOver) void judge();
    if (stage === "wrong" && !isOver) setStage("open");
  }, [view]);

  return {
    study,
    stage,
    move,
    found,
    rated,
    again: () => {
      setStage("open"); // also if the board already shows the start, after a takeback during the check
      study.start();
    },
    show: () => {
      setStage("shown");
      study.start();
      const told = async () => {
        const counted = await giveUp(game, puzzle.id);
        if (counted && !gone.current) setRated(counted);
        await explain();
      };
      told().catch((error: unknown) => {
        if (gone.current) return;
        onNotice(asError(error));
        setStage("open"); // so that the solution can be requested again
      });
    },
    playLine: study.playFromStart,
  };
}
