// What an engine thinks of the position on an analysis board, asked for when somebody rests there for a moment.
import { useEffect, useRef, useState } from "preact/hooks";
import type { LineEvaluation } from "../api.gen.ts";
import { evaluateLine } from "../api.ts";
import type { Root } from "./use-study.ts";

export interface Judged {
  /** Of the position on the board; null while it is not known. */
  found: LineEvaluation | null;
  /** Of all positions that were looked at, by their actions. */
  known: Map<string, LineEvaluation>;
  /** What to say while there is none. */
  words: string;
}

const REST_MS = 250;

export function useLineEvaluation(root: Root, actions: number[], on: boolean): Judged {
  const [known, setKnown] = useState<Map<string, LineEvaluation>>(new Map());
  const [trouble, setTrouble] = useState("");
  const key = actions.join(" ");
  const latest = useRef(root);
  useEffect(() => {
    latest.current = root;
    setKnown(new Map());
  }, [root]);
  const missing = on && !known.has(key);
  useEffect(() => {
    setTrouble("");
    if (!missing) return;
    let gone = false;
    const timer = setTimeout(() => {
      evaluateLine({ spec: root.spec, setup: root.setup, moves: root.before, actions }).then(
        (answer) => latest.current === root && setKnown((old) => new Map(old).set(key, answer)),
        (error: Error) => !gone && setTrouble(error.message),
      );
    }, REST_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [root, key, missing]);
  const found = on ? (known.get(key) ?? null) : null;
  return { found, known, words: !on || found ? "" : trouble || "The engine thinks…" };
}
