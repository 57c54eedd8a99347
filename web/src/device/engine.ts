// The engine in this browser, for one model at a time: downloaded when it is first needed; its searches run one after another.
import type { Engine, Found, Limits, Position } from "../../engine/src/engine.ts";

/** What is known about the engine of this page. */
export interface EngineState {
  /** The manifest of its model; empty before the first one. */
  manifest: string;
  /** The progress of its download as a sentence; empty if it is complete. */
  progress: string;
  /** Why this browser cannot run it, as a sentence; empty if it can. */
  lack: string;
}

/** What a search may use, given the machine's usual budget. */
export type Budgeted = (budget: Engine["budget"]) => Limits;

interface Running {
  manifest: string;
  engine: Promise<Engine>;
  /** Settled when the last search in the queue has ended. */
  last: Promise<void>;
  /** Searches that run or wait. */
  users: number;
}

const IDLE_MS = 300_000; // an engine without work gives back its memory
const MEGABYTE = 1e6;
let running: Running | null = null;
let idle: ReturnType<typeof setTimeout> | undefined;
let state: EngineState = { manifest: "", progress: "", lack: "" };
const listeners = new Set<(state: EngineState) => void>();

export function engineState(): EngineState {
  return state;
}

/** Call `listener` after every change; returns a function that stops it. */
export function onEngine(listener: (state: EngineState) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function change(to: EngineState): void {
  state = to;
  for (const listener of listeners) listener(state);
}

/** Forget why an engine could not be run, so that the next search tries again. */
export function tryAgain(): void {
  change({ ...state, lack: "" });
}

/**
 * Search a position after all earlier searches; a search that `stop` ends returns what it has found so far.
 * Rejects with one sentence if the engine cannot be loaded or the position cannot be searched.
 */
export async function search(manifest: string, position: Position, limits: Budgeted, stop: AbortSignal, onUpdate?: (found: Found) => void): Promise<Found> {
  const own = runningFor(manifest);
  const before = own.last;
  let leave = () => {};
  own.last = new Promise((resolve) => (leave = resolve));
  own.users += 1;
  try {
    const engine = await own.engine;
    await before;
    stop.throwIfAborted();
    const end = () => engine.stop();
    stop.addEventListener("abort", end);
    try {
      return await engine.think(position, limits(engine.budget), onUpdate);
    } finally {
      stop.removeEventListener("abort", end);
    }
  } finally {
    leave();
    own.users -= 1;
    if (own === running && !own.users) idle = setTimeout(() => own === running && close(), IDLE_MS);
  }
}

function runningFor(manifest: string): Running {
  clearTimeout(idle);
  if (running?.manifest === manifest) return running;
  close();
  const own = { manifest, engine: loaded(manifest), last: Promise.resolve(), users: 0 };
  own.engine.catch(() => {
    if (running === own) running = null;
  });
  running = own;
  return own;
}

function close(): void {
  running?.engine.then(
    (engine) => engine.close(),
    () => {},
  );
  running = null;
}

async function loaded(manifest: string): Promise<Engine> {
  const tell = (progress: string, lack = "") => change({ manifest, progress, lack });
  tell("Loading the engine…");
  try {
    const { load } = await import("../../engine/src/engine.ts");
    const onProgress = ({ loaded, total }: { loaded: number; total: number }) => tell(progressWords(loaded, total));
    const engine = await load(manifest, { onProgress });
    tell("");
    return engine;
  } catch (error) {
    tell("", error instanceof Error && error.message ? error.message : "The engine could not be loaded.");
    throw error;
  }
}

/** Say how much of a download has arrived. */
export function progressWords(loaded: number, total: number): string {
  if (loaded >= total) return "Starting the engine…";
  const inMegabytes = (bytes: number) => (bytes / MEGABYTE).toFixed(1);
  return `Loading the engine: ${inMegabytes(loaded)} of ${inMegabytes(total)} MB`;
}
