// The hook for automatic replay: one move per second until the end or a pause.
import { useEffect, useRef, useState } from "preact/hooks";
import type { GameState } from "../api.gen.ts";
import type { Past } from "../game/use-past.ts";

const STEP_MS = 1000;

export interface Walking {
  running: boolean;
  toggle: () => void;
}

export function useWalk(state: GameState, past: Past | null): Walking {
  const [running, setRunning] = useState(false);
  const latest = useRef(past);
  latest.current = past;
  const at = past?.ply ?? 0;
  useEffect(() => {
    if (running && at >= state.ply) setRunning(false);
  }, [running, at]);
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => latest.current?.step("forward"), STEP_MS);
    return () => clearInterval(timer);
  }, [running]);
  const toggle = () => {
    if (!running && at >= state.ply) past?.go(0);
    setRunning(!running);
  };
  return { running, toggle };
}
