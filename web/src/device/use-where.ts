// The hooks for where positions are evaluated: on this device, if the site has an engine for it, or by the site.
import { useEffect, useState } from "preact/hooks";
import { useAnswer } from "../answer.ts";
import type { StudyLine } from "../api.gen.ts";
import { study } from "../api.ts";
import { usePrefs } from "../prefs.ts";
import { engineState, onEngine } from "./engine.ts";

export interface Where {
  /** Who evaluates; null until that is known. */
  by: "device" | "site" | null;
  /** Whether there is a choice. */
  isOffered: boolean;
  /** The progress of the engine's download as a sentence; empty without one. */
  progress: string;
  /** Why this device cannot evaluate, as a sentence; empty if it can. */
  lack: string;
}

/** Return who evaluates a board; `manifest` is that of its engine for browsers: null if there is none, undefined if that is unknown. */
export function useWhere(manifest: string | null | undefined): Where {
  const { thinker } = usePrefs();
  const [engine, setEngine] = useState(engineState());
  useEffect(() => {
    setEngine(engineState());
    return onEngine(setEngine);
  }, []);
  const { progress, lack } = engine.manifest === manifest ? engine : { progress: "", lack: "" };
  const wishes = thinker === "device" && !lack;
  const by = !wishes || manifest === null ? "site" : manifest ? "device" : null;
  return { by, isOffered: !!manifest, progress: by === "device" ? progress : "", lack };
}

/** Return the manifest of the engine for the board of a game; null if the site has none, undefined until that is known. */
export function useManifest({ spec, setup = null }: Pick<StudyLine, "spec" | "setup">, on: boolean): string | null | undefined {
  const ask = () => study({ spec, setup }).then(({ device }) => ({ manifest: device?.manifest ?? null }), () => ({ manifest: null }));
  const { found } = useAnswer(() => (on ? ask() : null), [spec, on]);
  return found?.manifest;
}
