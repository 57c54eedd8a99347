// The manifest of an exported model: its files, levels and games; fetched and checked once.
import { damaged, download, fetched } from "./download.ts";
import type { GamePart, SearchPart } from "./layout.ts";

/** A measured level: the limits of its search, and its rating. */
export interface LevelPart {
  level: string;
  visits: number;
  temperature: number;
  /** Moves of the game for which the temperature applies; 0: all. */
  moves: number;
  seconds: number;
  elo: number;
  error: number;
}

export interface Manifest {
  format: number;
  model: { name: string; generation: number; weights: string; licence: string; card: string };
  network: { file: string; bytes: number; input: string; outputs: [logits: string, outcome: string] };
  search: SearchPart;
  /** The model's levels, the weakest first. */
  levels: LevelPart[];
  games: GamePart[];
}

/** Fetch and check a manifest; throws an Error with one sentence. */
export async function readManifest(url: string, signal?: AbortSignal): Promise<Manifest> {
  const answer = await fetched(url, signal);
  let found: unknown;
  try {
    found = await answer.json();
  } catch {
    throw damaged(url, "is not JSON");
  }
  if (!isManifest(found)) throw damaged(url, "is not a manifest of an exported model");
  if (found.format !== 1) throw new Error(`${url} has format ${found.format}, and this engine reads format 1: export the model again, or update the engine.`);
  return found;
}

function isManifest(found: unknown): found is Manifest {
  const { games, network } = (found ?? {}) as Partial<Manifest>;
  return Array.isArray(games) && games.length > 0 && typeof network?.file === "string";
}

/** Return the entry of a game; throws an Error that lists the model's games. */
export function gameOf(manifest: Manifest, spec: string): GamePart {
  const found = manifest.games.find((game) => game.spec === spec);
  if (found) return found;
  throw new Error(`${manifest.model.name} does not play ${spec}; it plays ${manifest.games.map((game) => game.spec).join(", ")}.`);
}

/** Download and compile the module of a game. */
export async function moduleOf(url: string, { module, bytes }: GamePart, onBytes: (loaded: number) => void = () => {}): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await download({ url: new URL(module, url).href, bytes }, onBytes));
}
