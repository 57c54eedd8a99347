// A small exported model behind a `fetch` of the tests.
import { createHash } from "node:crypto";
import { mock } from "node:test";
import type { Manifest } from "../src/manifest.ts";

export const URL_OF_MODEL = "http://site/engines/tiny/manifest.json";
export const NETWORK = new Uint8Array(1000).map((_, index) => index % 251);
export const MODULE = new Uint8Array(300); // the magic number, the version, and one long section of the module's own
MODULE.set([0, 97, 115, 109, 1, 0, 0, 0, 0, 0xa1, 2, 0]);
const named = (bytes: Uint8Array, ending: string) => createHash("sha256").update(bytes).digest("hex").slice(0, 16) + ending;
const game = (spec: string) => ({
  ...{ spec, rules: "", module: named(MODULE, ".wasm"), bytes: MODULE.length, planes: [2, 3, 3] as [number, number, number] },
  ...{ actions: 9, maxLegal: 9, stateWords: 1, symmetries: 8, start: "AAAAAAAAAAA=", renews: false },
  ...{ layout: { trees: [], cache: [], parameters: [], desk: [], lengths: {} }, records: {} },
});

export const MANIFEST: Manifest = {
  format: 1,
  model: { name: "tiny", generation: 3, weights: "0123", licence: "MIT", card: "" },
  network: { file: named(NETWORK, ".onnx"), bytes: NETWORK.length, input: "planes", outputs: ["logits", "outcome"] },
  search: { fill: 32, leaves: 8, settings: {} },
  levels: [],
  games: [game("one"), game("two")],
};

export type Answers = Record<string, () => Response | Promise<Response>>;

/** Answer requests for the manifest, a network or a module; returns the requested names with their cache mode. */
export function serve(answers: Answers = {}): string[] {
  const asked: string[] = [];
  const model: Answers = {
    ".json": () => Response.json(MANIFEST),
    ".onnx": () => new Response(NETWORK),
    ".wasm": () => new Response(MODULE),
  };
  mock.method(globalThis, "fetch", async (url: string, { cache }: RequestInit) => {
    const ending = url.slice(url.lastIndexOf("."));
    asked.push(`${ending} ${cache}`);
    return ({ ...model, ...answers })[ending]!();
  });
  return asked;
}
