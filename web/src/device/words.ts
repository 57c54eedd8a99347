// What the engine in this browser has found, put into words by the site: moves, lines and values as its own judge gives them.
import type { Found } from "../../engine/src/engine.ts";
import type { FoundPosition, LineEvaluation, StudyLine } from "../api.gen.ts";
import { call } from "../api.ts";

/** The site's limits of one request. */
export const MOST_FOUND = 8;
const MOST_LINES = 5;
const MOST_ACTIONS = 24;
const OUTCOMES = [null, 1, -1, 0]; // values of proofs, from player 0's view

/** Convert what was found about the position after `ply` actions of a line to a request's form, the best move first. */
export function toTell(found: Found, ply: number): FoundPosition {
  const [best] = found.best;
  const lines = found.lines
    .filter((line) => line.actions.length)
    .sort((one, other) => Number(other.action === best) - Number(one.action === best)) // keeps the order of the others
    .slice(0, MOST_LINES)
    .map(({ actions, value, visits, proof, winsIn }) => ({ actions: actions.slice(0, MOST_ACTIONS), visits, winsIn, ...valued(value, proof) }));
  return { ply, visits: found.visits, ...valued(found.value, found.proof), lines };
}

function valued(value: number, proof: number): { value: number; proved: boolean } {
  const outcome = OUTCOMES[proof] ?? null;
  return { value: outcome ?? Math.max(-1, Math.min(1, value)), proved: outcome !== null };
}

/** Have the site put what was found about positions of a line into words; `manifest` is the engine's. */
export async function inWords(line: StudyLine, manifest: string, found: FoundPosition[], stop: AbortSignal): Promise<LineEvaluation[]> {
  return (await call("post", "/api/study/words", { body: { ...line, engine: manifest, found }, stop })).evaluations;
}
