import assert from "node:assert/strict";
import { afterEach, mock, test } from "node:test";
import { download, fetched } from "../src/download.ts";
import { gameOf, readManifest } from "../src/manifest.ts";
import { MANIFEST, NETWORK, serve, URL_OF_MODEL } from "./served.ts";

const wanted = { url: new URL(MANIFEST.network.file, URL_OF_MODEL).href, bytes: NETWORK.length };
const refused = (words: RegExp, retry = true) => (error: Error & { retry?: boolean }) => words.test(error.message) && (error.retry === true) === retry;
afterEach(() => mock.restoreAll());

test("a file arrives whole, and its progress is told in bytes", async () => {
  const parts = [NETWORK.slice(0, 400), NETWORK.slice(400)];
  serve({ ".onnx": () => new Response(new ReadableStream({ pull: (out) => (parts.length ? out.enqueue(parts.shift()) : out.close()) })) });
  const told: number[] = [];
  assert.deepEqual(new Uint8Array(await download(wanted, (loaded) => told.push(loaded))), NETWORK);
  assert.deepEqual(told, [400, 1000]);
});

test("a damaged copy in the browser's cache is replaced", async () => {
  const asked = serve({ ".onnx": () => new Response(asked.length < 2 ? NETWORK.slice(1) : NETWORK) });
  assert.deepEqual(new Uint8Array(await download(wanted, () => {})), NETWORK);
  assert.deepEqual(asked, [".onnx default", ".onnx reload"]);
});

test("a file that stays damaged is refused by its size or its contents", async () => {
  serve({ ".onnx": () => new Response(NETWORK.slice(0, 10)) });
  await assert.rejects(download(wanted, () => {}), refused(/damaged \(10 bytes arrived, of 1000\)/));
  serve({ ".onnx": () => new Response(NETWORK.map((byte) => byte ^ 1)) });
  await assert.rejects(download(wanted, () => {}), refused(/its contents differ from its name/));
});

test("an answer that does not end is not read to its end", async () => {
  let sent = 0;
  const endless = () => new ReadableStream({ pull: (out) => out.enqueue(new Uint8Array(++sent && 600)) });
  serve({ ".onnx": () => new Response(endless()) });
  await assert.rejects(download(wanted, () => {}), refused(/damaged/));
  assert.ok(sent < 10);
});

test("failed downloads say why and that they may be tried again", async () => {
  serve({ ".onnx": () => new Response("", { status: 503 }) });
  await assert.rejects(fetched(wanted.url), refused(/the server answered 503/));
  serve({ ".onnx": () => Promise.reject(new TypeError("fetch failed")) });
  await assert.rejects(fetched(wanted.url), refused(/check the connection/));
  const broken = new ReadableStream({ pull: (out) => out.error(new TypeError("network error")) });
  serve({ ".onnx": () => new Response(broken) });
  await assert.rejects(download(wanted, () => {}), refused(/the connection broke off/));
});

test("a manifest is checked, and a game that the model does not play is refused", async () => {
  serve();
  const manifest = await readManifest(URL_OF_MODEL);
  assert.equal(gameOf(manifest, "two").spec, "two");
  assert.throws(() => gameOf(manifest, "three"), refused(/tiny does not play three; it plays one, two\./, false));
  serve({ ".json": () => new Response("<html>") });
  await assert.rejects(readManifest(URL_OF_MODEL), refused(/is not JSON/));
  for (const other of [null, {}, { ...MANIFEST, games: [] }]) {
    serve({ ".json": () => Response.json(other) });
    await assert.rejects(readManifest(URL_OF_MODEL), refused(/is not a manifest/));
  }
  serve({ ".json": () => Response.json({ ...MANIFEST, format: 2 }) });
  await assert.rejects(readManifest(URL_OF_MODEL), refused(/format 2/, false));
});
