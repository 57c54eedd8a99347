// Searches positions by a game's module, for tests in Python: `node search.ts FOLDER`.
//
// FOLDER has job.json, the module, and tables of evaluations; found.json gets the results, or the message of an error.
// In a page, `answer` is called with what `fetch` reads.
import type { Limits, Position } from "../../web/engine/src/found.ts";
import type { GamePart, SearchPart } from "../../web/engine/src/layout.ts";
import { Machine } from "../../web/engine/src/module.ts";
import { Search } from "../../web/engine/src/search.ts";

export interface Job {
  game: GamePart;
  search: SearchPart;
  visits: number;
  cache: number;
  rows: number;
  questions: { position: Position; limits: Limits }[];
}

export interface Parts {
  job: Job;
  module: BufferSource;
  logits: Float32Array;
  outcomes: Float32Array;
}

/** Return what the searches found, and by how many bytes the memory has grown since the first of them. */
export async function answer({ job, module, logits, outcomes }: Parts): Promise<{ found: unknown[]; grown: number }> {
  const { actions, planes } = job.game;
  const size = planes[0] * planes[1] * planes[2];

  /** The row of the tables for a position: a checksum of its planes, as in conftest.py. */
  function rowOf(planes: Uint8Array): number {
    let sum = 0;
    planes.forEach((byte, index) => (sum += byte * ((index * 40503) % 65536)));
    return sum % job.rows;
  }

  async function evaluate(planes: Uint8Array, count: number) {
    const answers = { logits: new Float32Array(count * actions), outcomes: new Float32Array(count * 3) };
    for (let row = 0; row < count; row++) {
      const from = rowOf(planes.subarray(row * size, (row + 1) * size));
      answers.logits.set(logits.subarray(from * actions, (from + 1) * actions), row * actions);
      answers.outcomes.set(outcomes.subarray(from * 3, from * 3 + 3), row * 3);
    }
    return answers;
  }

  const compiled = await WebAssembly.compile(module);
  const sizes = { visits: job.visits, rows: job.search.fill, cache: job.cache };
  const machine = await Machine.start(compiled, job.game, sizes);
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
  return { found, grown: machine.size - before };
}

if (globalThis.process?.argv[1]?.endsWith("search.ts")) {
  const { readFile, writeFile } = await import("node:fs/promises");
  const folder = process.argv[2]!;
  const read = (name: string) => readFile(`${folder}/${name}`);
  const floats = async (name: string) => new Float32Array((await read(name)).buffer.slice(0));
  const job = JSON.parse(String(await read("job.json"))) as Job;
  const [logits, outcomes] = [await floats("logits"), await floats("outcomes")];
  const found = await answer({ job, module: await read(job.game.module), logits, outcomes } as Parts);
  await writeFile(`${folder}/found.json`, JSON.stringify(found));
}
