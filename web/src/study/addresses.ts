// The addresses of the analysis page: of a line, of a game in a link, and of an analysis kept in this browser.
import { decoded } from "../address.ts";
import type { StudyView } from "../api.gen.ts";
import { setupFrom } from "./positions.ts";
import type { Root } from "./use-study.ts";

/** Return the address of a line, at a ply if it is given. */
export function addressOf({ spec, setup, before }: Root, ply: number | null = null): string {
  const query = new URLSearchParams({ spec });
  if (ply !== null) query.set("ply", String(ply));
  if (setup !== null) query.set("setup", typeof setup === "string" ? setup : JSON.stringify(setup));
  return `/study?${query}${before.length ? `#${encodeURIComponent(before.join(" "))}` : ""}`;
}

/** Return the address of a game in a link, at a place of its tree; on the main line, places are plies. */
export function sharedAddress(link: string, place: number): string {
  return `/study?shared=${place}#${link}`;
}

/** Return the address of an analysis that this browser keeps. */
export function savedAddress(id: string): string {
  return `/study?saved=${encodeURIComponent(id)}`;
}

/** Return the address of the landing page with a start position. */
export function playAddress(spec: string, setup: Root["setup"]): string {
  return addressOf({ spec, setup, before: [] }).replace("/study", "/");
}

/** Read the game, optional start position and moves from an address like `?spec=GAME&setup=SETUP#MOVE MOVE`. */
export function rootFromAddress(): Root {
  const query = new URLSearchParams(location.search);
  if (query.has("shared")) return { spec: "", setup: null, before: [], link: location.hash.slice(1) };
  const saved = query.get("saved");
  if (saved) return { spec: "", setup: null, before: [], saved };
  const before = decoded(location.hash.slice(1)).split(" ").filter(Boolean);
  return { spec: query.get("spec") ?? "", setup: setupFrom(query.get("setup")), before };
}

/** Read the place to open from `?shared=23`. */
export function placeFromAddress(tree: unknown[]): number {
  const place = Number(new URLSearchParams(location.search).get("shared"));
  return Number.isInteger(place) && place > 0 && place < tree.length ? place : 0;
}

/** List the complete moves that lead to a position, without a last unfinished move. */
export function wholeMoves({ moves, result, toPlay }: StudyView): string[] {
  const last = moves[moves.length - 1];
  const half = last && !result && last.player === toPlay;
  return (half ? moves.slice(0, -1) : moves).map((move) => move.text);
}
