// Looks deeper and deeper at one position on this device.
import type { Found } from "../../engine/src/engine.ts";
import type { DevicePosition, LineEvaluation, StudyLine } from "../api.gen.ts";
import { search } from "./engine.ts";
import type { Budgeted } from "./engine.ts";
import { inWords, toTell } from "./words.ts";

const LINES = 5;
const DEPTH = 25; // as a multiple of the machine's usual visits: 20,000, and less on phones
const GROWTH = 1.25; // of the visits between two requests for words
const EVERY_S = 0.4;

/** The position at the end of a line, for the site and for the engine. */
export interface Place {
  line: StudyLine;
  /** The number of actions of the line. */
  ply: number;
  device: DevicePosition;
}

/**
 * Search a position until `stop`, or until more visits change nothing or are too many.
 * @param take Called with each deeper evaluation, and the visits a second; the last one is final.
 */
export async function deepen({ line, ply, device }: Place, take: (found: LineEvaluation, speed: number) => void, stop: AbortSignal): Promise<void> {
  const { manifest, spec, start, actions } = device;
  const failed = new AbortController(); // without words, there is nothing to search for
  let told = 0;
  let telling: Promise<void> | null = null;
  const tell = async (found: Found, isLast: boolean) => {
    told = found.visits;
    const [worded] = await inWords(line, manifest, [toTell(found, ply)], stop);
    const speed = found.seconds > 0 ? (found.visits - found.kept) / found.seconds : 0;
    if (worded) take({ ...worded, final: worded.final || isLast }, speed);
  };
  const onUpdate = (found: Found) => {
    if (telling || stop.aborted || found.visits < GROWTH * told) return;
    telling = tell(found, false).then(
      () => {
        telling = null;
      },
      (error: unknown) => failed.abort(error),
    );
  };
  const limits: Budgeted = ({ visits }) => ({ visits: DEPTH * visits, seconds: Infinity, lines: LINES, every: EVERY_S });
  const found = await search(manifest, { game: spec, start, actions }, limits, AbortSignal.any([stop, failed.signal]), onUpdate);
  await telling;
  failed.signal.throwIfAborted();
  if (!stop.aborted) await tell(found, true);
}
