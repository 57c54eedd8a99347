// What the worker does: loads a model, then runs one search at a time; a newer question ends the older search.
import { budgetOf, isPhone, threadsOf } from "./budget.ts";
import type { Budget } from "./budget.ts";
import { pick } from "./device.ts";
import type { Batch, Evaluator } from "./device.ts";
import { download } from "./download.ts";
import type { Found, Limits, Position } from "./found.ts";
import type { GamePart } from "./layout.ts";
import { gameOf, moduleOf, readManifest } from "./manifest.ts";
import type { Manifest } from "./manifest.ts";
import type { Answered, Asked, Device } from "./messages.ts";
import { MemoryError } from "./module.ts";
import type { Hooks } from "./search.ts";

/** How long the worker computes before it looks for messages. */
const SLICE_MS = 12;
/** Trees have room for one of these numbers of visits, the largest that fits into memory. */
const ROOMS = [20_000, 5000, 1000] as const;
const PHONE_ROOM = 5000;
/** Visits of the search whose batches decide between two devices. */
const SAMPLE_VISITS = 64;

/** The compiled search of one game, with a tree that follows the positions asked for. */
export interface Searcher {
  think(position: Position, limits: Limits, hooks: Hooks): Promise<Found>;
}

export interface EvaluatorPlan {
  manifest: Manifest;
  network: ArrayBuffer;
  device: Device | "auto";
  threads: number;
  /** Called with the bytes of the runtime that have arrived, and their expected number. */
  onRuntime: (loaded: number, total: number) => void;
}

/** The parts of a session that tests replace. */
export interface Parts {
  /** Create the evaluators of a network: on the processor, and on the graphics processor if there is one. */
  createEvaluators(plan: EvaluatorPlan): Promise<{ safe: Evaluator; fast: Evaluator | null }>;
  /** Create a search with room for `room` visits; throws MemoryError. */
  createSearch(plan: { manifest: Manifest; game: GamePart; module: WebAssembly.Module; room: number; evaluator: Evaluator }): Promise<Searcher>;
  send(answer: Answered): void;
}

interface Model {
  url: string;
  manifest: Manifest;
  budget: Budget;
  evaluator: Evaluator;
}

export class Session {
  private model: Model | null = null;
  private open: { spec: string; room: number; search: Searcher } | null = null;
  private readonly modules = new Map<string, WebAssembly.Module>();
  /** Numbers of the newest question, and of the newest one that shall stop. */
  private newest = 0;
  private stopped = 0;
  /** Resolves when no search runs. */
  private idle: Promise<unknown> = Promise.resolve();
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  hear(asked: Asked): void {
    if (asked.kind === "load") void this.answering(0, () => this.load(asked.manifestUrl, asked.device));
    else if (asked.kind === "stop") this.stopped = Math.max(this.stopped, asked.id);
    else {
      this.newest = asked.id;
      this.idle = this.idle.then(() => this.answering(asked.id, () => this.think(asked.id, asked.position, asked.limits)));
    }
  }

  private async answering(id: number, act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      const retry = (error as { retry?: boolean }).retry === true;
      this.parts.send({ kind: "failed", id, words: wordsOf(error), retry });
    }
  }

  private async load(url: string, device: Device | "auto"): Promise<void> {
    const manifest = await readManifest(url);
    const first = manifest.games[0]!;
    const { file, bytes } = manifest.network;
    const parts = new Map([["network", [0, bytes]], ["game", [0, first.bytes]], ["runtime", [0, 0]]]);
    const heard = (part: string) => (loaded: number, total = parts.get(part)![1]!) => {
      parts.set(part, [loaded, Math.max(loaded, total)]);
      const sum = (index: number) => [...parts.values()].reduce((found, part) => found + part[index]!, 0);
      this.parts.send({ kind: "progress", progress: { loaded: sum(0), total: sum(1) } });
    };
    const network = download({ url: new URL(file, url).href, bytes }, heard("network"));
    const module = this.module(url, first, heard("game"));
    const threads = threadsOf(navigator, globalThis.crossOriginIsolated === true);
    const plan = { manifest, device, threads, onRuntime: heard("runtime") };
    const [evaluators] = await Promise.all([network.then((network) => this.parts.createEvaluators({ ...plan, network })), module]);
    const evaluator = evaluators.fast ? await this.picked(manifest, evaluators.safe, evaluators.fast, device) : evaluators.safe;
    const [channels, height, width] = first.planes;
    for (const rows of [1, manifest.search.leaves]) {
      // the first evaluations compile the runtime's code, which the first answer need not wait for
      await evaluator.evaluate(new Uint8Array(rows * channels * height * width), rows, first.planes);
    }
    const budget = budgetOf(navigator);
    this.model = { url, manifest, budget, evaluator };
    this.parts.send({ kind: "loaded", manifest, device: evaluator.device, threads: evaluator.threads, budget });
  }

  /** Return the evaluator to use, after a search from the start whose batches both have evaluated. */
  private async picked(manifest: Manifest, safe: Evaluator, fast: Evaluator, device: Device | "auto"): Promise<Evaluator> {
    const batches: Batch[] = [];
    const game = manifest.games[0]!;
    const module = this.modules.get(game.module)!;
    const recorder: Evaluator = {
      ...{ device: safe.device, threads: safe.threads, close: async () => {} },
      evaluate: (planes, count, shape) => {
        batches.push({ planes: planes.slice(), count, shape });
        return safe.evaluate(planes, count, shape);
      },
    };
    const search = await this.parts.createSearch({ manifest, game, module, room: ROOMS[2], evaluator: recorder });
    const hooks = { stopped: () => false, pause: async () => {} };
    await search.think({ game: game.spec, actions: [] }, { visits: SAMPLE_VISITS, seconds: Infinity }, hooks);
    return pick(safe, fast, batches, device === "webgpu");
  }

  private async think(id: number, position: Position, limits: Limits): Promise<void> {
    if (id !== this.newest) return; // a newer question came while another search ended
    if (!this.model) throw new Error("The engine is not loaded: wait for `load` first.");
    const isBare = limits.visits === undefined && limits.seconds === undefined;
    const { visits, seconds } = isBare ? this.model.budget : { visits: limits.visits ?? Infinity, seconds: limits.seconds ?? Infinity };
    const asked = performance.now();
    const search = await this.searchOf(this.model, position.game, limits.visits ?? 0);
    let paused = performance.now();
    const wanted = { ...limits, visits, seconds: seconds - (paused - asked) / 1000 };
    const hooks: Hooks = {
      stopped: () => id !== this.newest || id <= this.stopped,
      pause: async () => {
        if (performance.now() < paused + SLICE_MS) return;
        await nextTask();
        paused = performance.now();
      },
      update: (found) => this.parts.send({ kind: "found", id, found, isLast: false }),
    };
    try {
      const found = await search.think(position, wanted, hooks);
      this.parts.send({ kind: "found", id, found, isLast: true });
    } catch (error) {
      this.open = null; // its memory may be damaged
      throw error;
    }
  }

  /** Return the search of a game; there is one at a time, so that the memory is bounded. */
  private async searchOf({ url, manifest, evaluator }: Model, spec: string, visits: number): Promise<Searcher> {
    if (this.open?.spec === spec && visits <= this.open.room) return this.open.search;
    this.open = null;
    const game = gameOf(manifest, spec);
    const module = await this.module(url, game);
    const room = Math.max(isPhone(navigator) ? PHONE_ROOM : ROOMS[0], visits);
    const search = await largest(ROOMS.filter((each) => each <= room), (room) => this.parts.createSearch({ manifest, game, module, room, evaluator }));
    this.open = { spec, room, search };
    return search;
  }

  private async module(url: string, game: GamePart, onBytes?: (loaded: number) => void): Promise<WebAssembly.Module> {
    const known = this.modules.get(game.module) ?? (await moduleOf(url, game, onBytes));
    this.modules.set(game.module, known);
    return known;
  }
}

/** Return what `create` creates for the first of these rooms that fits into memory. */
async function largest<Made>([room, ...others]: number[], create: (room: number) => Promise<Made>): Promise<Made> {
  try {
    return await create(room!);
  } catch (error) {
    if (others.length === 0 || !(error instanceof MemoryError)) throw error;
    return largest(others, create);
  }
}

/** Wait until the worker has looked for messages. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** Return the sentence of an error for people. */
function wordsOf(error: unknown): string {
  if (error instanceof RangeError || error instanceof MemoryError) return "This device has too little free memory for the engine: close other tabs, or let it think with fewer visits.";
  if (error instanceof WebAssembly.RuntimeError) return `The engine broke off (${error.message}): ask again.`;
  return error instanceof Error ? error.message : String(error);
}
