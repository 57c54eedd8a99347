// The hook for the engine of the analysis page: it looks deeper and deeper while a position stays on the board.
import { useEffect, useRef, useState } from "preact/hooks";
import { isForGood } from "../answer.ts";
import type { LineEvaluation } from "../api.gen.ts";
import { evaluateLine } from "../api.ts";
import { useSeen } from "../on-screen.ts";
import type { Root } from "./use-study.ts";

/** What is known about a position. */
export interface Depth {
  found: LineEvaluation;
  /** Visits a second; null if it is unknown, since another visitor's search was used. */
  speed: number | null;
  /** Whether looking deeper would change nothing, or more than the site allows. */
  isDone: boolean;
}

export interface Judged {
  /** The deepest evaluation of the position on the board; null until there is one. */
  depth: Depth | null;
  /** The evaluations of all visited positions, by their actions. */
  known: Map<string, Depth>;
  /** Why there is no evaluation, or no deeper one; empty if there is. */
  trouble: string;
}

const REST_MS = 200; // no requests for positions that are only passed
const AGAIN_MS = 5000;
const FIRST = 100; // visits of the first answer, which comes at once
const GROWTH = 2;
export const MOST_LINES = 5;
const LEAST_MS = 100; // a quicker answer was known to the site

/** Evaluate the position after `actions` while `on`, as long as the page is visible; `root` must not change. */
export function useDeepening(root: Root, actions: number[], on: boolean): Judged {
  const [known, setKnown] = useState<Map<string, Depth>>(new Map());
  const [trouble, setTrouble] = useState<{ key: string; words: string } | null>(null);
  const latest = useRef(known);
  latest.current = known;
  const isSeen = useSeen();
  const key = actions.join(" ");
  const depth = known.get(key) ?? null;
  const runs = on && isSeen && !depth?.isDone;
  useEffect(() => {
    if (!runs) return;
    const stop = new AbortController(); // the site then ends the search
    let timer: ReturnType<typeof setTimeout>;
    const ask = () => {
      const before = latest.current.get(key)?.found.visits ?? 0;
      const began = performance.now();
      const wish = { lines: MOST_LINES, visits: Math.max(FIRST, GROWTH * before) };
      const take = (found: LineEvaluation) => {
        const ms = performance.now() - began;
        const speed = ms < LEAST_MS ? null : (1000 * (found.visits - before)) / ms;
        const depth = { found, speed, isDone: found.final || found.visits <= before };
        latest.current = new Map(latest.current).set(key, depth);
        setKnown(latest.current);
        setTrouble(null);
        if (!depth.isDone) timer = setTimeout(ask, 0);
      };
      const fail = (error: Error) => {
        setTrouble({ key, words: error.message });
        if (!isForGood(error)) timer = setTimeout(ask, AGAIN_MS);
      };
      evaluateLine({ spec: root.spec, setup: root.setup, moves: root.before, actions, ...wish }, stop.signal).then(
        (found) => !stop.signal.aborted && take(found),
        (error: Error) => !stop.signal.aborted && fail(error),
      );
    };
    timer = setTimeout(ask, REST_MS);
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [key, runs]);
  return { depth, known, trouble: trouble?.key === key ? trouble.words : "" };
}
