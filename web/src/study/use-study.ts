// A board that belongs to no game: both sides are played by one person, back and forth; the site knows the rules.
import { useEffect, useRef, useState } from "preact/hooks";
import type { StudyView } from "../api.gen.ts";
import { study } from "../api.ts";

/** Where a line begins. */
export interface Root {
  spec: string;
  setup: Record<string, unknown> | string | null;
  /** Moves in notation that lead to the beginning. */
  before: string[];
}

export interface Study {
  view: StudyView;
  /** Actions made since the beginning. */
  line: number[];
  busy: boolean;
  act: (action: number) => void;
  /** Go to the position after so many actions of the line; what follows stays until another action is made there. */
  go: (length: number) => void;
  /** How many actions of the line are on the board. */
  at: number;
}

export function useStudy(root: Root, first: StudyView, onNotice: (sentence: string) => void): Study {
  const [line, setLine] = useState<number[]>([]);
  const [at, setAt] = useState(0);
  const [view, setView] = useState(first);
  const [busy, setBusy] = useState(false);
  const known = useRef(new Map<string, StudyView>([["", first]]));
  const wanted = useRef("");

  useEffect(() => {
    known.current = new Map([["", first]]);
    setLine([]);
    setAt(0);
    setView(first);
  }, [first]);

  const show = (actions: number[]) => {
    const key = actions.join(" ");
    wanted.current = key;
    const found = known.current.get(key);
    if (found) {
      setView(found);
      return;
    }
    setBusy(true);
    study({ spec: root.spec, setup: root.setup, moves: root.before, actions })
      .then((answer) => {
        known.current.set(key, answer);
        if (wanted.current === key) setView(answer);
      })
      .catch((error: unknown) => {
        onNotice(error instanceof Error ? error.message : String(error));
        setLine((old) => old.slice(0, -1));
        setAt((old) => Math.max(0, old - 1));
      })
      .finally(() => setBusy(false));
  };
  const act = (action: number) => {
    const next = line[at] === action ? line : [...line.slice(0, at), action];
    setLine(next);
    setAt(at + 1);
    show(next.slice(0, at + 1));
  };
  const go = (length: number) => {
    const to = Math.max(0, Math.min(line.length, length));
    setAt(to);
    show(line.slice(0, to));
  };
  return { view, line, busy, act, go, at };
}
