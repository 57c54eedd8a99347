// The hook for engine evaluations on the analysis page, requested when a position stays on the board.
import { useEffect, useState } from "preact/hooks";
import type { LineEvaluation } from "../api.gen.ts";
import { evaluateLine } from "../api.ts";
import type { Root } from "./use-study.ts";

export interface Judged {
  /** The evaluation of the position on the board; null until it is known. */
  found: LineEvaluation | null;
  /** The evaluations of all visited positions, by their actions. */
  known: Map<string, LineEvaluation>;
  /** The message in place of a missing evaluation. */
  words: string;
}

const REST_MS = 250;

/** Evaluate the position after `actions` while `on`; `root` must not change. */
export function useLineEvaluation(root: Root, actions: number[], on: boolean): Judged {
  const [known, setKnown] = useState<Map<string, LineEvaluation>>(new Map());
  const [trouble, setTrouble] = useState("");
  const key = actions.join(" ");
  const missing = on && !known.has(key);
  useEffect(() => {
    setTrouble("");
    if (!missing) return;
    let gone = false;
    const timer = setTimeout(() => {
      evaluateLine({ spec: root.spec, setup: root.setup, moves: root.before, actions }).then(
        (answer) => setKnown((old) => new Map(old).set(key, answer)),
        (error: Error) => !gone && setTrouble(error.message),
      );
    }, REST_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [key, missing]);
  const found = on ? (known.get(key) ?? null) : null;
  return { found, known, words: !on || found ? "" : trouble || "The engine is thinking…" };
}
