// The messages between the page and the worker.
import type { Budget } from "./budget.ts";
import type { Found, Limits, Position } from "./found.ts";
import type { Manifest } from "./manifest.ts";

export type Device = "wasm" | "webgpu";

/** Bytes that have arrived so far; the total grows when a file turns out larger than expected. */
export interface Progress {
  loaded: number;
  total: number;
}

export type Asked =
  | { kind: "load"; manifestUrl: string; device: Device | "auto" }
  | { kind: "think"; id: number; position: Position; limits: Limits }
  | { kind: "stop"; id: number };

/** What the worker knows once everything is loaded. */
export interface Loaded {
  manifest: Manifest;
  device: Device;
  threads: number;
  budget: Budget;
}

export type Answered =
  | { kind: "progress"; progress: Progress }
  | ({ kind: "loaded" } & Loaded)
  | { kind: "found"; id: number; found: Found; isLast: boolean }
  | { kind: "failed"; id: number; words: string; retry: boolean };
