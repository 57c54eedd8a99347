// The hook for a move to find: the first complete move on a study board is judged.
import { useEffect, useState } from "preact/hooks";
import { useGone } from "../answer.ts";
import { asError } from "../notice.ts";
import type { OnNotice } from "../notice.ts";
import { play } from "../sound.ts";
import type { Study } from "./use-study.ts";

/** In `judging` and `wrong`, a complete move has been made; in `right` and `shown`, the board can be played on freely. */
export type Stage = "open" | "judging" | "wrong" | "right" | "shown";

export interface Trying {
  stage: Stage;
  /** Go back to the start and try again. */
  again: () => void;
  /** Go back to the start, where the board can be played on freely. */
  show: () => void;
  /** Let moves be judged again, because what was to be shown did not arrive. */
  reopen: () => void;
}

/** Let `player` try a move; `judge` returns whether the move on the board is a good one. */
export function useTrying(study: Study, player: number, judge: () => Promise<boolean>, onNotice: OnNotice): Trying {
  const [stage, setStage] = useState<Stage>("open");
  const gone = useGone();
  const { view } = study;
  const decide = async () => {
    setStage("judging");
    try {
      const isGood = await judge();
      if (gone.current) return;
      setStage(isGood ? "right" : "wrong");
      play(isGood ? "win" : "loss");
    } catch (error) {
      if (gone.current) return;
      onNotice(asError(error));
      setStage("open");
      study.start();
    }
  };
  useEffect(() => {
    const isComplete = view.result !== null || view.toPlay !== player;
    if (stage === "open" && isComplete) void decide();
    if (stage === "wrong" && !isComplete) setStage("open");
  }, [view]);
  const begin = (next: Stage) => {
    setStage(next); // also if the board already shows the start, after a takeback during the check
    study.start();
  };
  return { stage, again: () => begin("open"), show: () => begin("shown"), reopen: () => setStage("open") };
}
