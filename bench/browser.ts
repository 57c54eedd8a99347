// Measures the search of a module alone, with a table in place of the network: `node browser.ts FOLDER SECONDS`.
//
// In a page, `measure` is called with what `fetch` reads.  bench/browser.py writes the folder.
import { Machine } from "../web/engine/src/module.ts";
import { Rules } from "../web/engine/src/rules.ts";
import { Field, Tree } from "../web/engine/src/tree.ts";

export interface Parts {
  job: { game: ConstructorParameters<typeof Rules>[0]["game"]; visits: number; leaves: number };
  module: BufferSource;
  logits: Float32Array;
  outcomes: Float32Array;
}

/** Return the visits per second of repeated searches of one tree. */
export async function measure({ job, module, logits, outcomes }: Parts, seconds: number): Promise<number> {
  const { game, visits, leaves } = job;
  const machine = await Machine.start(await WebAssembly.compile(module), game, { visits, rows: leaves, cache: 0 });
  const rules = new Rules(machine);
  const tree = new Tree(machine, rules);
  const { trees, cache, parameters } = machine.references;
  const field = (name: string) => new Field(machine, machine.trees.get("tree"), game.records["TREE"], name);
  const [target, most] = [field("target"), field("leaves")];
  const [own, theirs] = [machine.desk.get("logits")!, machine.desk.get("outcomes")!];
  const answers = [...machine.argument("logits"), ...machine.argument("outcomes")];
  const table = logits.length / game.actions;
  const root = rules.forSearch(rules.start);
  tree.of.plays.set(1);
  let row = 0;
  const search = (): number => {
    rules.put(root);
    machine.call("new_tree", trees, 0n, ...machine.argument("words"), 0n);
    target.set(visits);
    most.set(leaves);
    for (;;) {
      const count = machine.call("collect", 0, trees, cache, parameters, 0n);
      if (count === 0) return tree.child.visits.get();
      if (row + count > table) row = 0;
      machine.floats(own, count * game.actions).set(logits.subarray(row * game.actions, (row + count) * game.actions));
      machine.floats(theirs, count * 3).set(outcomes.subarray(row * 3, (row + count) * 3));
      row += count;
      machine.call("prepare", ...answers, BigInt(count), 1 / 1.5);
      machine.call("absorb", trees, cache, BigInt(count), ...answers);
    }
  };
  search(); // compiles all code and touches the memory
  search();
  const begun = performance.now();
  let found = 0;
  while (performance.now() < begun + 1000 * seconds) found += search();
  return (1000 * found) / (performance.now() - begun);
}

if (globalThis.process?.argv[1]?.endsWith("browser.ts")) {
  const { readFile } = await import("node:fs/promises");
  const [folder, seconds] = process.argv.slice(2) as [string, string];
  const read = (name: string) => readFile(`${folder}/${name}`);
  const floats = async (name: string) => new Float32Array((await read(name)).buffer.slice(0));
  const job = JSON.parse(String(await read("job.json"))) as Parts["job"];
  const parts = { job, module: await read(job.game.module), logits: await floats("logits"), outcomes: await floats("outcomes") };
  console.log(await measure(parts as Parts, Number(seconds)));
}
