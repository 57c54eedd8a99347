import assert from "node:assert/strict";
import { afterEach, mock, test } from "node:test";
import { Connection } from "../src/connection.ts";
import type { Port } from "../src/connection.ts";
import type { Evaluator } from "../src/device.ts";
import type { Found, Position } from "../src/found.ts";
import type { Answered } from "../src/messages.ts";
import { MemoryError } from "../src/module.ts";
import { Session } from "../src/session.ts";
import type { Parts, Searcher } from "../src/session.ts";
import { MODULE, NETWORK, serve, URL_OF_MODEL } from "./served.ts";

afterEach(() => mock.restoreAll());
const evaluator = (device: "wasm" | "webgpu"): Evaluator => ({
  ...{ device, threads: 1 },
  evaluate: async () => ({ logits: new Float32Array(9), outcomes: new Float32Array(3) }),
  close: async () => {},
});
const found = (visits: number, position: Position): Found => ({
  ...{ action: position.actions.length, best: [], value: 0, draw: 0, visits, kept: 0, proof: 0, seconds: 0, lines: [] },
});

/** A connection to a session in this thread, whose search does one visit for each batch and 1 ms. */
function connect(changes: Partial<Parts> = {}, fault: Error | null = null) {
  const rooms: [spec: string, room: number][] = [];
  const thought: { position: Position; visits: number; seconds: number }[] = [];
  const createSearch: Parts["createSearch"] = async ({ game, room }) => {
    rooms.push([game.spec, room]);
    return {
      think: async (position, { visits: most = 0, seconds = 0 }, hooks) => {
        thought.push({ position, visits: most, seconds });
        let visits = 2;
        for (; visits < most && !hooks.stopped() && !port.isGone; visits++) {
          if (fault) throw fault;
          const until = performance.now() + 1;
          while (performance.now() < until);
          hooks.update?.(found(visits, position));
          await hooks.pause();
        }
        return found(visits, position);
      },
    } satisfies Searcher;
  };
  const port: Port & { isGone: boolean } = {
    isGone: false,
    onmessage: null,
    onerror: null,
    postMessage: (asked) => void setImmediate(() => session.hear(structuredClone(asked))),
    terminate: () => (port.isGone = true),
  };
  const send = (data: Answered) => void setImmediate(() => port.isGone || port.onmessage?.({ data: structuredClone(data) }));
  const createEvaluators: Parts["createEvaluators"] = async ({ network, onRuntime }) => {
    assert.equal(network.byteLength, NETWORK.length);
    onRuntime(500, 500);
    return { safe: evaluator("wasm"), fast: null };
  };
  const session = new Session({ createEvaluators, createSearch, send, ...changes });
  return { connection: new Connection(port), port, rooms, thought };
}

const START: Position = { game: "one", actions: [] };
const isAborted = (error: Error) => error.name === "AbortError";

test("loading tells its progress in bytes, and what was found about the machine", async () => {
  serve();
  const { connection } = connect();
  const told: [number, number][] = [];
  const { manifest, device, budget } = await connection.load(URL_OF_MODEL, { onProgress: ({ loaded, total }) => told.push([loaded, total]) });
  assert.equal(manifest.model.name, "tiny");
  assert.equal(device, "wasm");
  assert.ok(budget.visits > 0);
  const all = NETWORK.length + MODULE.length + 500;
  assert.deepEqual(told.at(-1), [all, all]);
  assert.ok(told.every(([loaded, total]) => loaded <= total));
});

test("a search has the limits asked for or the machine's budget, tells its results so far, and ends with one", async () => {
  serve();
  const { connection, thought } = connect();
  const { budget } = await connection.load(URL_OF_MODEL, {});
  const updates: number[] = [];
  const { visits } = await connection.think(START, { visits: 5 }, (so) => updates.push(so.visits));
  assert.equal(visits, 5);
  assert.deepEqual(updates, [2, 3, 4]);
  assert.deepEqual(thought[0], { position: START, visits: 5, seconds: Infinity });
  await connection.think({ ...START, actions: [3] }, {}, () => connection.stop());
  assert.equal(thought[1]!.visits, budget.visits);
  assert.ok(thought[1]!.seconds <= budget.seconds);
  assert.deepEqual(thought[1]!.position.actions, [3]);
  await connection.think(START, { seconds: 1 }, () => connection.stop());
  assert.ok(thought[2]!.visits > budget.visits && thought[2]!.seconds <= 1);
});

test("stop ends a long search at once, with the result so far", async () => {
  serve();
  const { connection } = connect();
  await connection.load(URL_OF_MODEL, {});
  const thinking = connection.think(START, { visits: 20_000 });
  await new Promise((resolve) => setTimeout(resolve, 60));
  connection.stop();
  const { visits } = await thinking;
  assert.ok(visits > 2 && visits < 20_000);
  assert.equal((await connection.think(START, { visits: 4 })).visits, 4); // only that search stopped
});

test("a newer question ends the older search, and one that never began", async () => {
  serve();
  const { connection, thought } = connect();
  await connection.load(URL_OF_MODEL, {});
  const first = connection.think(START, { visits: 20_000 });
  await new Promise((resolve) => setTimeout(resolve, 30));
  const second = connection.think({ ...START, actions: [1] }, { visits: 20_000 });
  const third = connection.think({ ...START, actions: [1, 2] }, { visits: 3 });
  await Promise.all([assert.rejects(first, isAborted), assert.rejects(second, isAborted)]);
  assert.equal((await third).action, 2);
  assert.deepEqual(thought.map(({ position }) => position.actions.length), [0, 2]);
});

test("one tree is kept at a time, as large as the memory allows", async () => {
  serve();
  const { connection, rooms } = connect();
  await connection.load(URL_OF_MODEL, {});
  for (const [game, visits] of [["one", 3], ["one", 4], ["two", 3]] as const) await connection.think({ game, actions: [] }, { visits });
  assert.deepEqual(rooms, [["one", 20_000], ["two", 20_000]]);

  const tried: number[] = [];
  const createSearch: Parts["createSearch"] = async ({ room }) => {
    tried.push(room);
    if (room > 1000) throw new MemoryError("too large");
    return { think: async (position) => found(room, position) };
  };
  const small = connect({ createSearch }).connection;
  await small.load(URL_OF_MODEL, {});
  for (const _ of "12") assert.equal((await small.think(START, { visits: 9 })).visits, 1000);
  assert.deepEqual(tried, [20_000, 5000, 1000]);
});

test("an error of a search is a sentence, and the next search has a new tree", async () => {
  serve();
  const { connection, rooms } = connect({}, new RangeError("WebAssembly.Memory.grow(): Maximum memory size exceeded"));
  await connection.load(URL_OF_MODEL, {});
  for (const _ of "12") await assert.rejects(connection.think(START, { visits: 9 }), /too little free memory.*close other tabs/);
  await assert.rejects(connection.think({ ...START, game: "three" }, {}), /tiny does not play three/);
  assert.equal(rooms.length, 2);
});

test("an engine that cannot be loaded says why, ends its worker, and may be loaded again", async () => {
  serve({ ".onnx": () => new Response("", { status: 404 }) });
  const { connection, port } = connect();
  await assert.rejects(connection.load(URL_OF_MODEL, {}), (error: Error & { retry?: boolean }) => /404/.test(error.message) && error.retry === true);
  assert.ok(port.isGone);
  serve();
  assert.equal((await connect().connection.load(URL_OF_MODEL, {})).threads, 1);
});

test("closing ends the worker and all that waits for it; so do the caller's signal and a worker that breaks", async () => {
  serve();
  const { connection, port } = connect();
  await connection.load(URL_OF_MODEL, {});
  const thinking = connection.think(START, { visits: 20_000 });
  connection.close();
  await assert.rejects(thinking, isAborted);
  await assert.rejects(connection.think(START, {}), isAborted);
  assert.ok(port.isGone);

  const abort = new AbortController();
  const loading = connect();
  const loaded = loading.connection.load(URL_OF_MODEL, { signal: abort.signal });
  abort.abort();
  await assert.rejects(loaded, isAborted);
  assert.ok(loading.port.isGone);

  const broken = connect();
  await broken.connection.load(URL_OF_MODEL, {});
  const asked = broken.connection.think(START, { visits: 20_000 });
  broken.port.onerror?.({ message: "out of memory" });
  await assert.rejects(asked, /The engine stopped \(out of memory\): load it again\./);
});

test("a graphics processor that answers otherwise is not used, unnoticed by the caller", async () => {
  const wrong: Evaluator = { ...evaluator("webgpu"), evaluate: async () => ({ logits: new Float32Array(9).fill(1), outcomes: new Float32Array(3) }) };
  for (const [fast, device] of [[evaluator("webgpu"), "webgpu"], [wrong, "wasm"]] as const) {
    serve();
    const createSearch: Parts["createSearch"] = async ({ evaluator }) => ({
      think: async (position) => {
        await evaluator.evaluate(new Uint8Array(18), 1, [2, 3, 3]);
        return found(2, position);
      },
    });
    const { connection } = connect({ createSearch, createEvaluators: async () => ({ safe: evaluator("wasm"), fast }) });
    assert.equal((await connection.load(URL_OF_MODEL, { device: "webgpu" })).device, device);
  }
});
