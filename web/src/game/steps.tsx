// Navigation through the moves of a game: four buttons and their keyboard shortcuts.
import { useEffect, useRef } from "preact/hooks";
import { Button } from "../button.tsx";
import { Icon } from "../icons.tsx";
import { prefs } from "../prefs.ts";

export type Way = "start" | "back" | "forward" | "end";

interface StepsProps {
  ply: number;
  last: number;
  step: (by: Way) => void;
}

export function Steps({ ply, last, step }: StepsProps) {
  const button = (by: Way, name: string, disabled: boolean) => (
    <Button class="icon-button" aria-label={name} title={name} disabled={disabled} onClick={() => step(by)}>
      <Icon name={by} />
    </Button>
  );
  return (
    <div class="steps" role="group" aria-label="Step through the game">
      {button("start", "To the start", ply === 0)}
      {button("back", "One move back", ply === 0)}
      {button("forward", "One move forward", ply === last)}
      {button("end", "To the latest position", ply === last)}
    </div>
  );
}

const KEYS: Record<string, Way> = { ArrowLeft: "back", ArrowRight: "forward", Home: "start", End: "end" };

/** Handle the navigation keys and those in `keys`, letters unless these shortcuts are off; keys typed into fields are ignored. */
export function useKeys(step: (by: Way) => void, keys: Record<string, () => unknown> = {}): void {
  const latest = useRef({ step, keys });
  latest.current = { step, keys };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      if (event.target instanceof HTMLElement && event.target.matches("input, textarea, select")) return;
      const way = KEYS[event.key];
      const other = prefs().shortcuts || event.key.length > 1 ? latest.current.keys[event.key] : undefined;
      if (way) latest.current.step(way);
      if (way || (other && other() !== false)) event.preventDefault();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
}
