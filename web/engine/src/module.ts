// A game's compiled rules and search: an instance of its module, with the arrays that both sides read and write.
//
// The module's functions take the addresses of a result and of an error, then their arguments, and return 0 or the code
// of an error; a reference is the address of 64-bit words (`ludus.kernel.reference`).
import { missing } from "./layout.ts";
import type { Axis, GamePart, Part } from "./layout.ts";

/** The game's rules raised an error. */
export class RulesError extends Error {}

/** There is not enough memory for a search of this size. */
export class MemoryError extends Error {}

export interface Sizes {
  /** Most visits of a root, which determine the memory (default: 20,000). */
  visits?: number;
  /** Most rows of a batch (default: 32). */
  rows?: number;
  /** Positions in the cache of evaluations: a power of two, or 0 for none (default: 65,536). */
  cache?: number;
}

/** An array in the module's memory. */
export interface Block {
  at: number;
  itemsize: number;
  shape: number[];
}

type Argument = number | bigint;
type Name =
  | "collect" | "prepare" | "absorb" | "new_tree" | "play" | "prune" | "best" | "restrict" | "rouse" | "review"
  | "to_play" | "legal" | "apply" | "outcome" | "for_search";

const LINE = 64; // bytes of a cache line

export class Machine {
  readonly game: GamePart;
  readonly sizes: Required<Sizes>;
  /** The arrays of the trees, and those of the desk. */
  readonly trees: Map<string, Block>;
  readonly desk: Map<string, Block>;
  /** Addresses of the references. */
  readonly references: { trees: number; cache: number; parameters: number };
  private readonly memory: WebAssembly.Memory;
  private readonly entries: WebAssembly.Exports;
  private readonly result: number;
  private readonly error: number;
  private view: DataView;

  /** Start an instance of a compiled module, with memory for one tree; throws MemoryError. */
  static async start(module: WebAssembly.Module, game: GamePart, sizes: Sizes = {}): Promise<Machine> {
    return new Machine(await WebAssembly.instantiate(module, {}), game, sizes);
  }

  private constructor(instance: WebAssembly.Instance, game: GamePart, sizes: Sizes) {
    this.game = game;
    this.sizes = { visits: sizes.visits ?? 20_000, rows: sizes.rows ?? 32, cache: sizes.cache ?? 1 << 16 };
    if (this.sizes.cache & (this.sizes.cache - 1)) throw new RangeError("The cache needs a power of two of positions.");
    this.entries = instance.exports;
    this.memory = this.entries["memory"] as WebAssembly.Memory;
    this.view = new DataView(this.memory.buffer);
    this.result = this.reserve(LINE);
    this.error = this.reserve(LINE);
    const { layout } = game;
    const trees = this.reference(layout.trees);
    const cache = this.reference(layout.cache);
    const parameters = this.reference(layout.parameters);
    this.references = { trees: trees.at, cache: cache.at, parameters: parameters.at };
    this.trees = trees.arrays;
    this.fillTables(parameters.arrays);
    this.desk = this.allocate(layout.desk);
  }

  /** The memory, which moves when it grows. */
  get data(): DataView {
    if (this.view.buffer !== this.memory.buffer) this.view = new DataView(this.memory.buffer);
    return this.view;
  }

  /** Bytes of the whole memory. */
  get size(): number {
    return this.memory.buffer.byteLength;
  }

  /** Return the first bytes of an array of the trees or the desk, valid until the next call. */
  bytes({ at }: Pick<Block, "at">, count: number): Uint8Array {
    return new Uint8Array(this.memory.buffer, at, count);
  }

  /** Return the first floats of an array, valid until the next call. */
  floats({ at }: Block, count: number): Float32Array {
    return new Float32Array(this.memory.buffer, at, count);
  }

  /** Call a function of the module and return its result, an integer; throws RulesError. */
  call(name: Name, ...numbers: Argument[]): number {
    const entry = this.entries[name] as (...numbers: Argument[]) => number;
    const status = entry(this.result, this.error, ...numbers);
    if (status !== 0) throw new RulesError(`The rules of ${this.game.spec} raised an error${this.told()}.`);
    return this.data.getInt32(this.result, true);
  }

  /** Return an array of the desk as the arguments that functions take for it. */
  argument(name: string): Argument[] {
    const { at, itemsize, shape } = this.desk.get(name) ?? missing(name);
    const strides = shape.map((_, axis) => shape.slice(axis + 1).reduce((size, length) => size * length, itemsize));
    const count = shape.reduce((size, length) => size * length, 1);
    return [0, 0, BigInt(count), BigInt(itemsize), at, ...shape.map(BigInt), ...strides.map(BigInt)];
  }

  /** Return what the last error says: the first texts in the pickle in which compiled code has it. */
  private told(): string {
    const record = this.data.getUint32(this.error, true);
    const [at, length] = record ? [this.data.getUint32(record, true), this.data.getInt32(record + 4, true)] : [0, 0];
    if (at === 0 || length <= 0 || at + length > this.size) return "";
    const pickle = new Uint8Array(this.memory.buffer, at, length);
    const texts: string[] = [];
    for (let k = 0; k + 1 < length; k++) {
      const size = pickle[k] === SHORT_TEXT ? pickle[k + 1]! : 0;
      if (size === 0 || k + 2 + size > length) continue;
      texts.push(new TextDecoder().decode(pickle.slice(k + 2, k + 2 + size)));
      k += 1 + size;
    }
    const said = texts.filter((text) => text !== "builtins").slice(0, 2);
    return said.length > 0 ? ` (${said.join(": ")})` : "";
  }

  private length(axis: Axis): number {
    if (typeof axis === "number") return axis;
    const own = { V: this.sizes.visits, B: this.sizes.rows, M: this.sizes.cache }[axis];
    if (own !== undefined) return own;
    const [of, times, over, plus, most] = this.game.layout.lengths[axis] ?? missing(axis);
    return Math.min(most, Math.floor((this.length(of) * times) / over) + plus);
  }

  private allocate(parts: Part[]): Map<string, Block> {
    const arrays = new Map<string, Block>();
    for (const { name, itemsize, dims, same } of parts) {
      if (!itemsize || !dims) continue;
      const shape = dims.map((axis) => this.length(axis));
      const at = same ? (arrays.get(same) ?? missing(same)).at : this.reserve(shape.reduce((a, b) => a * b, itemsize));
      arrays.set(name, { at, itemsize, shape });
    }
    return arrays;
  }

  private reference(parts: Part[]): { at: number; arrays: Map<string, Block> } {
    const arrays = this.allocate(parts);
    const words = parts.flatMap(({ name, value }) => {
      const array = arrays.get(name);
      return array ? [BigInt(array.at), ...array.shape.map(BigInt)] : [BigInt(value ?? missing(name))];
    });
    const at = this.reserve(8 * words.length);
    words.forEach((word, index) => this.data.setBigInt64(at + 8 * index, word, true));
    return { at, arrays };
  }

  /** Write the tables of `SearchSettings.parameters`: the weight of a prior at a node by its visits, and 1 / visits. */
  private fillTables(arrays: Map<string, Block>): void {
    const exploration = arrays.get("exploration") ?? missing("exploration");
    const inverse = arrays.get("inverse") ?? missing("inverse");
    const [cpuct, base] = [this.setting("cpuct"), this.setting("cpuct_base")];
    for (let visits = 0; visits < inverse.shape[0]!; visits++) {
      const rate = cpuct + (base > 0 ? log((visits + base + 1) / base) : 0);
      this.data.setFloat64(exploration.at + 8 * visits, rate * Math.sqrt(visits), true);
      this.data.setFloat64(inverse.at + 8 * visits, 1 / Math.max(1, visits), true);
    }
  }

  private setting(name: string): number {
    const word = this.game.layout.parameters.find((part) => part.name === name)?.value ?? missing(name);
    return new Float64Array(BigInt64Array.of(BigInt(word)).buffer)[0]!;
  }

  /** Return the address of zeroed memory, which lives as long as the instance; throws MemoryError. */
  private reserve(bytes: number): number {
    const reserve = this.entries["reserve"] as (bytes: number) => number;
    const at = bytes < 2 ** 31 ? reserve(Math.max(1, bytes)) >>> 0 : 0;
    if (at === 0) throw new MemoryError(`A search with ${this.sizes.visits} visits does not fit into memory: allow fewer visits.`);
    return at;
  }
}

/** Return the natural logarithm of a number above 1, with the same bits as `ludus.search.settings` computes. */
function log(part: number): number {
  let power = 0;
  for (; part >= 2 * Math.SQRT1_2; part /= 2) power += 1;
  const ratio = (part - 1) / (part + 1);
  let total = 0;
  for (let term = 25; term > 0; term -= 2) total = total * (ratio * ratio) + 2 / term;
  return power * Math.LN2 + ratio * total;
}

const SHORT_TEXT = 0x8c; // the pickle's code for a text of up to 255 bytes, after which comes its length
