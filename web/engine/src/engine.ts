// The engine for pages: loads an exported model into a worker, and answers with its searches.
import type { Budget } from "./budget.ts";
import { Connection } from "./connection.ts";
import type { LoadOptions, Port } from "./connection.ts";
import type { Found, Limits, Position } from "./found.ts";
import { gameOf, moduleOf, readManifest } from "./manifest.ts";
import type { Manifest } from "./manifest.ts";
import type { Device, Loaded } from "./messages.ts";
import { Machine } from "./module.ts";
import { Rules } from "./rules.ts";

export type { Budget, Device, Found, Limits, LoadOptions, Manifest, Position, Rules };
export type { Line } from "./found.ts";
export type { Progress } from "./messages.ts";

/** A function of WebAssembly with an instruction of SIMD. */
const SIMD = [0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 9, 1, 7, 0, 65, 0, 253, 15, 26, 11];

/** Return what this browser lacks, as a sentence; empty if it can run the engine. */
export function canThink(): string {
  const remedy = "use a current version of Firefox, Chrome, Edge or Safari.";
  if (typeof Worker === "undefined") return `This browser has no workers, which the engine needs: ${remedy}`;
  if (typeof WebAssembly === "undefined") return `This browser does not run WebAssembly, which the engine needs: ${remedy}`;
  if (!WebAssembly.validate(new Uint8Array(SIMD))) return `This browser lacks SIMD in WebAssembly, which the engine needs: ${remedy}`;
  return "";
}

export class Engine {
  readonly manifest: Manifest;
  /** Where the network runs. */
  readonly device: Device;
  /** Threads of one evaluation. */
  readonly threads: number;
  /** The default limits of a search on this machine. */
  readonly budget: Budget;
  private readonly url: string;
  private readonly connection: Connection;
  private readonly known = new Map<string, Promise<Rules>>();

  /** Use `load` instead. */
  constructor(url: string, connection: Connection, { manifest, device, threads, budget }: Loaded) {
    this.url = url;
    this.connection = connection;
    this.manifest = manifest;
    this.device = device;
    this.threads = threads;
    this.budget = budget;
  }

  /**
   * Search a position. One search runs at a time: a newer question ends the older one, whose promise rejects with an
   * error named AbortError. The tree is kept while the list of actions goes on from the last one.
   * @param onUpdate Called with results so far.
   */
  think(position: Position, limits: Limits = {}, onUpdate?: (found: Found) => void): Promise<Found> {
    return this.connection.think(position, limits, onUpdate);
  }

  /** End the running search; its promise resolves with the result so far. */
  stop(): void {
    this.connection.stop();
  }

  /** Return the rules of a game, on the caller's own thread. */
  rules(spec: string): Promise<Rules> {
    let rules = this.known.get(spec);
    if (!rules) {
      rules = rulesAt(this.url, this.manifest, spec);
      rules.catch(() => this.known.delete(spec));
      this.known.set(spec, rules);
    }
    return rules;
  }

  /** End the worker, and give back its memory. */
  close(): void {
    this.connection.close();
  }
}

/** Load an exported model; throws an Error with one sentence, whose `retry` says whether loading again may help. */
export async function load(manifestUrl: string, options: LoadOptions = {}): Promise<Engine> {
  const lack = canThink();
  if (lack) throw new Error(lack);
  const url = absolute(manifestUrl);
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "ludus-engine" });
  const connection = new Connection(worker as Port);
  return new Engine(url, connection, await connection.load(url, options));
}

/** Load the rules of one game without a network; throws an Error with one sentence. */
export async function loadRules(manifestUrl: string, spec: string): Promise<Rules> {
  const url = absolute(manifestUrl);
  return rulesAt(url, await readManifest(url), spec);
}

async function rulesAt(url: string, manifest: Manifest, spec: string): Promise<Rules> {
  const game = gameOf(manifest, spec);
  return new Rules(await Machine.start(await moduleOf(url, game), game, { visits: 1, rows: 1, cache: 0 }));
}

function absolute(url: string): string {
  return new URL(url, document.baseURI).href;
}
