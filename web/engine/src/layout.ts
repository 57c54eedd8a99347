// What the manifest says of a game: its module, sizes, and arrays, as `ludus.browser` writes it.

/** The length of an axis, or the letter of one that is chosen with the memory (`ludus.browser.layout`). */
export type Axis = number | string;

/** A field behind a reference, in the order of its words: an array, which may share another's memory, or a number. */
export interface Part {
  name: string;
  itemsize?: number;
  dims?: Axis[];
  same?: string;
  /** The 64-bit word of a number, in decimal. */
  value?: string;
}

/** How the length of an axis follows from that of another: at most `most`, else floor(of * times / over) + plus. */
export type Length = [of: string, times: number, over: number, plus: number, most: number];

export interface Layout {
  trees: Part[];
  cache: Part[];
  parameters: Part[];
  desk: Part[];
  lengths: Record<string, Length>;
}

/** Type (`i4`, `f8`, ...) and offset of each field of a record. */
export type Fields = Record<string, [kind: string, offset: number]>;

export interface GamePart {
  spec: string;
  /** Fingerprint of what the rules do. */
  rules: string;
  /** File of the module, and its size. */
  module: string;
  bytes: number;
  planes: [channels: number, height: number, width: number];
  actions: number;
  maxLegal: number;
  stateWords: number;
  symmetries: number;
  /** The words of the start state, as base64. */
  start: string;
  /** Whether the site may replace the state of a long game; a position then needs a later start. */
  renews: boolean;
  layout: Layout;
  records: Record<string, Fields>;
}

/** How a search gathers batches, and its settings as `ludus.search.settings` names them. */
export interface SearchPart {
  fill: number;
  leaves: number;
  settings: Record<string, number | string | boolean>;
}

/** Kinds of nodes of a search tree: with children, and at the end of a game. */
export const [EXPANDED, TERMINAL] = [2, 3];

export function missing(name: string): never {
  throw new Error(`The manifest does not say what ${name} is: export the model again.`);
}
