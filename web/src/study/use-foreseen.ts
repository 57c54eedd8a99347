// The hook for the board of a study after actions that the site has not answered yet.
import { useEffect, useMemo, useState } from "preact/hooks";
import type { StudyView } from "../api.gen.ts";
import { playAhead, seenOf } from "../board/ahead.ts";
import type { Known, Turn } from "../board/ahead.ts";
import { knownFrom } from "../board/rules.ts";

interface Foreseen {
  /** The turn after the unanswered actions; null if there are none, or it is not known. */
  turn: Turn | null;
  /** Learn from a view what an action does, given the view before it. */
  compare: (before: StudyView | undefined, after: StudyView) => void;
}

/** Foresee `unanswered`, the actions after `view`; the rules are loaded after the first action, if `on`. */
export function useForeseen(spec: string, view: StudyView, unanswered: number[], on: boolean): Foreseen {
  const [base, setBase] = useState<{ view: StudyView; known: Known } | null>(null);
  const [acted, setActed] = useState(false);
  const device = on && acted ? view.device : null;
  useEffect(() => {
    if (on) seenOf(spec).learn(turnOf(view));
    if (!device || device.skipped + device.actions.length !== view.ply) return;
    let gone = false;
    void knownFrom(device).then((known) => known && !gone && setBase({ view, known }));
    return () => {
      gone = true;
    };
  }, [spec, view, device]);
  const turn = useMemo(() => {
    if (!unanswered.length || base?.view !== view) return null;
    try {
      return playAhead(seenOf(spec), base.known, turnOf(view), unanswered);
    } catch {
      return null; // an error of the rules: the site says which
    }
  }, [spec, view, base, unanswered]);
  const compare = (before: StudyView | undefined, after: StudyView) => {
    if (!on || !before) return;
    setActed(true);
    const choice = before.board.choices.find(({ action }) => action === after.actions[after.actions.length - 1]);
    if (choice) seenOf(spec).compare(turnOf(before), choice, after.board);
  };
  return { turn, compare };
}

function turnOf({ board, toPlay, ply, moves, result }: StudyView): Turn {
  const last = moves[moves.length - 1];
  const goesOn = !result && last?.player === toPlay;
  return { board, toPlay, step: goesOn ? ply - (moves[moves.length - 2]?.ply ?? 0) : 0 };
}
