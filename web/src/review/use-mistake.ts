// The hook for one mistake of a review: a study board on which better moves are tried and judged.
import { useEffect, useRef, useState } from "preact/hooks";
import { useGone } from "../answer.ts";
import type { LineEvaluation, Replay, ReviewedPosition, StudyLine, StudyView } from "../api.gen.ts";
import { study as replayed } from "../api.ts";
import { LEAST } from "../game/judgement.ts";
import { asError } from "../notice.ts";
import type { OnNotice } from "../notice.ts";
import { useStudy } from "../study/use-study.ts";
import type { Study } from "../study/use-study.ts";
import { useTrying } from "../study/use-trying.ts";
import type { Stage } from "../study/use-trying.ts";

export interface Mistake {
  /** The number of moves of the game before it. */
  number: number;
  player: number;
  /** The move that was played. */
  played: string;
  /** How much the evaluation dropped, as evaluations from -1 to 1. */
  loss: number;
  position: ReviewedPosition;
}

export interface Learning {
  study: Study;
  stage: Stage;
  /** The last tried move. */
  move: string;
  /** How much less it is worth than the judge's best move; null if it is unknown. */
  loss: number | null;
  again: () => void;
  show: () => void;
  playLine: (moves: string[], count: number) => void;
}

/** Evaluates the position at the end of a line; `stop` ends it. */
export type Evaluate = (line: StudyLine & { moves: string[] }, stop: AbortSignal) => Promise<LineEvaluation>;

export function useMistake(game: Replay, mistake: Mistake, first: StudyView, evaluate: Evaluate, onNotice: OnNotice): Learning {
  const before = game.moves.slice(0, mistake.number).map((move) => move.text);
  const root = { spec: game.game.spec, setup: game.setup, before };
  const study = useStudy(root, first, onNotice);
  const [tried, setTried] = useState<{ move: string; loss: number | null }>({ move: "", loss: null });
  const gone = useGone();
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  const { view } = study;
  const { position, player, played } = mistake;
  const sign = player === 0 ? 1 : -1;

  const valueOf = async (move: string): Promise<number> => {
    const known = position.lines.find((line) => line.moves[0] === move);
    if (known) return known.evaluation;
    return (await evaluate({ spec: root.spec, setup: root.setup, moves: [...before, move] }, stop.current.signal)).evaluation;
  };
  const judge = async () => {
    const move = view.moves[view.moves.length - 1]?.text ?? "";
    setTried({ move, loss: null });
    const loss = move === position.bestMove ? 0 : move === played ? mistake.loss : Math.max(0, sign * (position.evaluation - (await valueOf(move))));
    if (!gone.current) setTried({ move, loss });
    return loss < LEAST.inaccuracy;
  };
  const { stage, again, show } = useTrying(study, player, judge, onNotice);
  const playLine = (moves: string[], count: number) => {
    replayed({ spec: root.spec, setup: root.setup, moves: [...before, ...moves] }).then(
      (end) => {
        if (gone.current) return;
        const ply = end.moves[before.length + count - 1]?.ply ?? end.ply;
        study.playFromStart(end.actions.slice(first.ply, ply), end.moves.slice(before.length));
      },
      (error: unknown) => gone.current || onNotice(asError(error)),
    );
  };
  return {
    study,
    stage,
    ...tried,
    again,
    show: () => {
      show();
      const [best] = position.lines;
      if (best) playLine(best.moves, 1);
    },
    playLine,
  };
}
