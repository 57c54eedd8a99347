// Answers positions with moves, as a page's engine does: `node browser_match.ts FOLDER`.
//
// A line of input is {position, limits}, and its answer a line with the actions of the move.  bench/browser_match.py starts
// it.  The network runs by onnxruntime-web, as in a page, on one thread.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import type { Limits, Position } from "../web/engine/src/found.ts";
import { Machine } from "../web/engine/src/module.ts";
import { Search } from "../web/engine/src/search.ts";

const folder = process.argv[2]!;
const manifest = JSON.parse(await readFile(`${folder}/manifest.json`, "utf8"));
const runtime = createRequire(new URL("../web/package.json", import.meta.url))("onnxruntime-web");
runtime.env.wasm.numThreads = 1;
const { network, search: part } = manifest;
const session = await runtime.InferenceSession.create(await readFile(`${folder}/${network.file}`), { executionProviders: ["wasm"] });
const [game] = manifest.games;
const size = game.planes.reduce((one: number, other: number) => one * other);

async function evaluate(planes: Uint8Array, count: number) {
  const input = new runtime.Tensor("uint8", planes.subarray(0, count * size), [count, ...game.planes]);
  const outputs = await session.run({ [network.input]: input });
  const [logits, outcomes] = network.outputs.map((name: string) => outputs[name].data as Float32Array);
  return { logits, outcomes };
}

const module = await WebAssembly.compile(await readFile(`${folder}/${game.module}`));
const machine = await Machine.start(module, game, { visits: 4096, rows: part.fill });
const search = new Search(machine, part, evaluate);
const hooks = { stopped: () => false, pause: async () => {} };
for await (const line of createInterface({ input: process.stdin })) {
  const { position, limits } = JSON.parse(line) as { position: Position; limits: Limits };
  console.log(JSON.stringify((await search.think(position, limits, hooks)).best));
}
