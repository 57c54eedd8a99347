// The compiled rules of the site's exported engines, loaded when they are first needed.
import type { Rules } from "../../engine/src/engine.ts";
import type { DevicePosition } from "../api.gen.ts";
import type { Known } from "./ahead.ts";

const loaded = new Map<string, Promise<Rules>>();

/** Return a position in the compiled rules; null if they cannot be loaded, or should not be. */
export async function knownFrom(position: DevicePosition | null): Promise<Known | null> {
  if (!position || (navigator as { connection?: { saveData?: boolean } }).connection?.saveData) return null;
  const { manifest, spec, start, actions } = position;
  const key = `${manifest} ${spec}`;
  const loading = loaded.get(key) ?? import("../../engine/src/engine.ts").then(({ loadRules }) => loadRules(manifest, spec));
  loaded.set(key, loading); // a failure stays one until the page is opened again
  try {
    const rules = await loading;
    const first = start ? rules.read(start) : rules.start;
    return { rules, state: actions.reduce((state, action) => rules.apply(state, action), first) };
  } catch {
    return null;
  }
}
