// Searches positions of a line on this device, one after another, and has the site put them into words.
import type { DevicePosition, LineEvaluation, StudyLine, StudyView } from "../api.gen.ts";
import { study } from "../api.ts";
import { search } from "./engine.ts";
import type { Budgeted } from "./engine.ts";
import { MOST_FOUND, inWords, toTell } from "./words.ts";

/** A position between two moves of a line. */
export interface Wanted {
  /** The number of moves before it. */
  number: number;
  /** The number of actions before it. */
  ply: number;
  /** Whether somebody waits for it, so that it does not wait for others. */
  urgent: boolean;
}

const TELL_MS = 1000; // how long found positions wait for others, as long as none is urgent
const UNREACHED = "The engine on this device does not know all rules of this game. The site can evaluate it.";

/**
 * Search positions of a line until `next` returns null.
 * @param line From the start, as moves.
 * @param view The position at its end.
 * @param tell Called with each evaluation.
 * @returns After the last one; rejects with one sentence at the first error.
 */
export async function searchLine(
  line: StudyLine & { moves: string[] },
  view: StudyView,
  next: () => Wanted | null,
  limits: Budgeted,
  tell: (wanted: Wanted, found: LineEvaluation) => void,
  stop: AbortSignal,
): Promise<void> {
  let waiting: { wanted: Wanted; found: ReturnType<typeof toTell> }[] = [];
  let since = performance.now();
  const manifest = view.device?.manifest ?? "";
  const send = async () => {
    const sent = waiting;
    waiting = [];
    if (!sent.length) return;
    const worded = await inWords(line, manifest, sent.map(({ found }) => found), stop);
    sent.forEach(({ wanted }, index) => worded[index] && tell(wanted, worded[index]));
  };
  for (let wanted = next(); wanted; wanted = next()) {
    if (!waiting.length) since = performance.now();
    const { ply } = wanted;
    const isEnd = view.result !== null && ply === view.ply; // the site knows its value
    const found = isEnd ? { ply, value: 0, visits: 0 } : toTell(await search(manifest, await positionAt(line, view, wanted), limits, stop), ply);
    stop.throwIfAborted();
    waiting.push({ wanted, found });
    if (wanted.urgent || waiting.length === MOST_FOUND || performance.now() - since >= TELL_MS) await send();
  }
  await send();
}

/** Evaluate the position at the end of a line on this device, as the site's judge does. */
export async function evaluateHere(line: StudyLine & { moves: string[] }, stop: AbortSignal): Promise<LineEvaluation> {
  const view = await study(line);
  const wanted: Wanted[] = [{ number: line.moves.length, ply: view.ply, urgent: true }];
  const told: LineEvaluation[] = [];
  await searchLine(line, view, () => wanted.pop() ?? null, (budget) => ({ ...budget, mayStop: true }), (_, found) => told.push(found), stop);
  const [found] = told;
  if (!found) throw new Error(UNREACHED);
  return found;
}

/** Return a position of a line as the engine takes it. */
async function positionAt(line: StudyLine & { moves: string[] }, view: StudyView, { number, ply }: Wanted): Promise<{ game: string; start: string; actions: number[] }> {
  let { device } = view;
  if (device && ply < device.skipped) ({ device } = await study({ ...line, moves: line.moves.slice(0, number) })); // long before the state's storage was full
  if (!device || !reaches(device, ply)) throw new Error(UNREACHED);
  return { game: device.spec, start: device.start, actions: device.actions.slice(0, ply - device.skipped) };
}

/** Whether the engine's game allows all actions before a ply. */
export function reaches(device: DevicePosition, ply: number): boolean {
  return ply >= device.skipped && ply <= device.skipped + device.actions.length;
}
