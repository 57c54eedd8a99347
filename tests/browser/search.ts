// Searches positions by a game's module, for tests in Python: `node search.ts FOLDER`.
//
// FOLDER has job.json, the module, and tables of evaluations; found.json gets the results, or the message of an error.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Limits, Position } from "../../web/engine/src/found.ts";
import type { GamePart, SearchPart } from "../../web/engine/src/layout.ts";
import { Machine } from "../../web/engine/src/module.ts";
import { Search } from "../../web/engine/src/search.ts";

interface Job {
  game: GamePart;
  search: SearchPart;
  visits: number;
  cache: number;
  rows: number;
  questions: { position: Position; limits: Limits }[];
}

const folder = process.argv[2]!;
const job = JSON.parse(await readFile(join(folder, "job.json"), "utf8")) as Job;
const floats = async (name: string) => new Float32Array((await readFile(join(folder, name))).buffer.slice(0));
const [logits, outcomes] = [await floats("logits"), await floats("outcomes")];
const { actions, planes } = job.game;
const size = planes[0] * planes[1] * planes[2];

/** The row of the tables for a position: a checksum of its planes, as in test_law.py. */
function rowOf(planes: Uint8Array): number {
  let sum = 0;
  planes.forEach((byte, index) => (sum += byte * ((index * 40503) % 65536)));
  return sum % job.rows;
}

async function evaluate(planes: Uint8Array, count: number) {
  const answer = { logits: new Float32Array(count * actions), outcomes: new Float32Array(count * 3) };
  for (let row = 0; row < count; row++) {
    const from = rowOf(planes.subarray(row * size, (row + 1) * size));
    answer.logits.set(logits.subarray(from * actions, (from + 1) * actions), row * actions);
    answer.outcomes.set(outcomes.subarray(from * 3, from * 3 + 3), row * 3);
  }
  return answer;
}

const module = await WebAssembly.compile(await readFile(join(folder, job.game.module)));
const machine = await Machine.start(module, job.game, { visits: job.visits, rows: job.search.fill, cache: job.cache });
const search = new Search(machine, job.search, evaluate);
let before = 0; // bytes of memory after the first search, in which rules have taken what they need
const hooks = { stopped: () => false, pause: async () => {} };
const found: unknown[] = [];
for (const { position, limits } of job.questions) {
  try {
    found.push(await search.think(position, limits, hooks));
    before ||= machine.size;
  } catch (error) {
    found.push({ error: (error as Error).message, kind: (error as Error).constructor.name });
  }
}
await writeFile(join(folder, "found.json"), JSON.stringify({ found, grown: machine.size - before }));
