// Runs the network by ONNX Runtime: on the processor by WebAssembly, and on the graphics processor by WebGPU.
import type { InferenceSession } from "onnxruntime-web";
import webgpuGlue from "onnxruntime-web/ort-wasm-simd-threaded.jspi.mjs?url";
import webgpuBinary from "onnxruntime-web/ort-wasm-simd-threaded.jspi.wasm?url";
import wasmGlue from "onnxruntime-web/ort-wasm-simd-threaded.mjs?url";
import wasmBinary from "onnxruntime-web/ort-wasm-simd-threaded.wasm?url";
import type { Evaluator } from "./device.ts";
import { download, Retryable } from "./download.ts";
import type { Manifest } from "./manifest.ts";
import type { Device } from "./messages.ts";
import type { EvaluatorPlan } from "./session.ts";

type Runtime = typeof import("onnxruntime-web/wasm");

/** The two builds of the runtime; only the larger one knows WebGPU. `bytes` are for the progress of the download. */
const BUILDS = {
  wasm: { load: () => import("onnxruntime-web/wasm"), glue: wasmGlue, binary: wasmBinary, bytes: 14_200_000 },
  webgpu: { load: () => import("onnxruntime-web/jspi"), glue: webgpuGlue, binary: webgpuBinary, bytes: 16_800_000 },
} satisfies Record<Device, { load: () => Promise<Runtime>; glue: string; binary: string; bytes: number }>;

/** Create the evaluators of a network; only the build of the runtime that this machine can use is downloaded. */
export async function createEvaluators({ manifest, network, device, threads, onRuntime }: EvaluatorPlan): Promise<{ safe: Evaluator; fast: Evaluator | null }> {
  const hasGpu = device !== "wasm" && (await hasGraphics(device === "webgpu"));
  const build = BUILDS[hasGpu ? "webgpu" : "wasm"];
  // The runtime fetches the file again, from the browser's cache, which also keeps the compiled code of what is fetched so.
  const binary = new URL(build.binary, import.meta.url).href;
  const [runtime] = await Promise.all([
    loaded(build.load),
    download({ url: binary, bytes: 0 }, (bytes) => onRuntime(bytes, build.bytes)),
  ]);
  runtime.env.wasm.wasmPaths = { mjs: new URL(build.glue, import.meta.url).href, wasm: binary };
  runtime.env.wasm.numThreads = threads;
  runtime.env.logLevel = "error";
  const create = async (where: Device) => {
    const session = await runtime.InferenceSession.create(network, { executionProviders: [where], graphOptimizationLevel: "all" });
    return new NetworkEvaluator(runtime, session, manifest.network, where, threads);
  };
  const safe = await create("wasm");
  return { safe, fast: hasGpu ? await create("webgpu").catch(() => null) : null };
}

async function loaded(load: () => Promise<Runtime>): Promise<Runtime> {
  try {
    return await load();
  } catch {
    throw new Retryable("The runtime of the network could not be downloaded: check the connection, and try again.");
  }
}

/**
 * Return whether there is a graphics processor, and the promises in WebAssembly that its build needs.
 * @param maySimulate Whether a graphics processor that the processor simulates will do.
 */
async function hasGraphics(maySimulate: boolean): Promise<boolean> {
  if (!("Suspending" in WebAssembly)) return false;
  interface Adapter {
    info?: { isFallbackAdapter?: boolean };
    isFallbackAdapter?: boolean;
  }
  const { gpu } = navigator as { gpu?: { requestAdapter(): Promise<Adapter | null> } };
  const adapter = await gpu?.requestAdapter().catch(() => null);
  return Boolean(adapter && (maySimulate || !(adapter.info?.isFallbackAdapter ?? adapter.isFallbackAdapter)));
}

class NetworkEvaluator implements Evaluator {
  readonly device: Device;
  readonly threads: number;
  private readonly runtime: Runtime;
  private readonly session: InferenceSession;
  private readonly names: Manifest["network"];

  constructor(runtime: Runtime, session: InferenceSession, names: Manifest["network"], device: Device, threads: number) {
    this.runtime = runtime;
    this.session = session;
    this.names = names;
    this.device = device;
    this.threads = threads;
  }

  async evaluate(planes: Uint8Array, count: number, [channels, height, width]: readonly [number, number, number]) {
    const rows = planes.subarray(0, count * channels * height * width);
    const input = new this.runtime.Tensor("uint8", rows, [count, channels, height, width]);
    let outputs: InferenceSession.ReturnType;
    try {
      outputs = await this.session.run({ [this.names.input]: input });
    } catch (error) {
      if (this.device === "wasm") throw error;
      throw new Retryable("The graphics processor does not answer any more: load the engine again.");
    }
    const [logits, outcomes] = this.names.outputs.map((name) => outputs[name]!.data as Float32Array);
    return { logits: logits!, outcomes: outcomes! };
  }

  async close(): Promise<void> {
    await this.session.release();
  }
}
