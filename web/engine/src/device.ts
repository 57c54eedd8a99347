// Chooses where the network runs: on the graphics processor if its answers agree with the processor's, and come sooner.

export interface Outputs {
  /** Policy logits [B, A]. */
  logits: Float32Array;
  /** Probabilities of win, draw and loss of the mover [B, 3]. */
  outcomes: Float32Array;
}

export interface Evaluator {
  readonly device: "wasm" | "webgpu";
  readonly threads: number;
  /** Evaluate `count` rows of byte planes [B, C, H, W]. */
  evaluate(planes: Uint8Array, count: number, shape: readonly [number, number, number]): Promise<Outputs>;
  close(): Promise<void>;
}

/** A batch that a search has asked for. */
export interface Batch {
  planes: Uint8Array;
  count: number;
  shape: readonly [number, number, number];
}

/** Largest difference of two evaluators: absolute in a probability, relative in a logit of 1 or more. */
const TOLERANCE = 0.02;

/** Return whether all outputs of two evaluators agree. */
export function agree(one: Outputs, other: Outputs): boolean {
  const near = (a: Float32Array, b: Float32Array) =>
    a.length === b.length && a.every((value, index) => Math.abs(value - b[index]!) <= TOLERANCE * Math.max(1, Math.abs(value)));
  return near(one.outcomes, other.outcomes) && near(one.logits, other.logits);
}

/**
 * Evaluate batches on both, and return the one to use; closes the other.
 * @param isWanted Whether to use `fast` even if it is slower.
 */
export async function pick(safe: Evaluator, fast: Evaluator, batches: readonly Batch[], isWanted = false): Promise<Evaluator> {
  let chosen = safe;
  try {
    const isRight = await agreeOn(safe, fast, batches);
    if (isRight && (isWanted || (await isFaster(fast, safe, batches)))) chosen = fast;
  } catch {
    // a device that fails is not used
  }
  await (chosen === safe ? fast : safe).close().catch(() => {});
  return chosen;
}

async function agreeOn(safe: Evaluator, fast: Evaluator, batches: readonly Batch[]): Promise<boolean> {
  for (const { planes, count, shape } of batches) {
    if (!agree(await safe.evaluate(planes, count, shape), await fast.evaluate(planes, count, shape))) return false;
  }
  return batches.length > 0;
}

/** Return whether `one` evaluates the batches in less time; both have seen them, so their programs are compiled. */
async function isFaster(one: Evaluator, other: Evaluator, batches: readonly Batch[]): Promise<boolean> {
  const time = async (evaluator: Evaluator) => {
    const before = performance.now();
    for (const { planes, count, shape } of batches) await evaluator.evaluate(planes, count, shape);
    return performance.now() - before;
  };
  return (await time(one)) < (await time(other));
}
