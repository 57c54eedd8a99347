// The hook for the engine of the analysis page: it looks deeper and deeper while a position stays on the board.
import { useEffect, useRef, useState } from "preact/hooks";
import { isForGood } from "../answer.ts";
import type { DevicePosition, LineEvaluation } from "../api.gen.ts";
import { evaluateLine } from "../api.ts";
import { deepen } from "../device/deepen.ts";
import { useSeen } from "../on-screen.ts";
import type { Root } from "./use-study.ts";

/** What is known about a position. */
export interface Depth {
  found: LineEvaluation;
  /** Visits a second; null if it is unknown, since another visitor's search was used. */
  speed: number | null;
  /** Whether looking deeper would change nothing, or more than is allowed. */
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

/** Who evaluates the position: the site, or this device, which needs the position as the engine takes it. */
export type Thinker = { by: "site" } | { by: "device"; device: DevicePosition };

const REST_MS = 200; // no requests for positions that are only passed
const AGAIN_MS = 5000;
const FIRST = 100; // visits of the first answer, which comes at once
const GROWTH = 2;
export const MOST_LINES = 5;
const LEAST_MS = 100; // a quicker answer was known to the site

/**
 * Evaluate the position after `actions` while `on`, as long as the page is visible; `root` must not change.
 * `thinker` evaluates it; null: that is not known yet.
 */
export function useDeepening(root: Root, actions: number[], on: boolean, thinker: Thinker | null): Judged {
  const [known, setKnown] = useState({ site: new Map<string, Depth>(), device: new Map<string, Depth>() });
  const [trouble, setTrouble] = useState<{ key: string; words: string } | null>(null);
  const latest = useRef(known);
  latest.current = known;
  const isSeen = useSeen();
  const by = thinker?.by ?? null;
  const key = actions.join(" ");
  const depth = (by && known[by].get(key)) ?? null;
  const runs = on && isSeen && by !== null && !depth?.isDone;
  useEffect(() => {
    if (!runs || !thinker) return;
    const stop = new AbortController(); // then the search ends, here or at the site
    let timer: ReturnType<typeof setTimeout>;
    const line = { spec: root.spec, setup: root.setup, moves: root.before, actions };
    const take = (depth: Depth) => {
      if (stop.signal.aborted) return;
      latest.current = { ...latest.current, [thinker.by]: new Map(latest.current[thinker.by]).set(key, depth) };
      setKnown(latest.current);
      setTrouble(null);
    };
    const ask = (): Promise<unknown> => (thinker.by === "device" ? deepenHere(thinker.device) : deepenAtSite());
    const deepenHere = (device: DevicePosition) => {
      const ply = device.skipped + device.actions.length;
      return deepen({ line, ply, device }, (found, speed) => take({ found, speed, isDone: found.final }), stop.signal);
    };
    const deepenAtSite = async () => {
      const before = latest.current.site.get(key)?.found.visits ?? 0;
      const began = performance.now();
      const found = await evaluateLine({ ...line, lines: MOST_LINES, visits: Math.max(FIRST, GROWTH * before) }, stop.signal);
      const ms = performance.now() - began;
      const speed = ms < LEAST_MS ? null : (1000 * (found.visits - before)) / ms;
      const isDone = found.final || found.visits <= before;
      take({ found, speed, isDone });
      if (!isDone) timer = setTimeout(begin, 0);
    };
    const begin = () => {
      ask().catch((error: Error) => {
        if (stop.signal.aborted) return;
        setTrouble({ key, words: error.message });
        if (!isForGood(error)) timer = setTimeout(begin, AGAIN_MS);
      });
    };
    timer = setTimeout(begin, REST_MS);
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [key, runs, by]);
  return { depth, known: known[by ?? "site"], trouble: trouble?.key === key ? trouble.words : "" };
}
