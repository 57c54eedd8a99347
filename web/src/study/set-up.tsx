// Any position of any game: chosen by name, written as the game writes positions (a FEN, or JSON).
import { useEffect, useState } from "preact/hooks";
import type { LessonTitle } from "../api.gen.ts";
import { useCatalogue } from "../catalogue.ts";
import { lessons } from "../api.ts";
import type { Root } from "./use-study.ts";

interface SetUpProps {
  spec: string;
  /** What stands on the board. */
  setup: Root["setup"];
  onSetUp: (root: Root) => void;
}

export function SetUp({ spec, setup, onSetUp }: SetUpProps) {
  const { entries } = useCatalogue();
  const [taught, setTaught] = useState<LessonTitle[]>([]);
  const [chosen, setChosen] = useState(spec);
  const [text, setText] = useState("");
  const here = asText(setup);
  useEffect(() => {
    lessons().then(setTaught, () => setTaught([]));
  }, []);
  useEffect(() => setText(here), [here]);
  useEffect(() => setChosen(spec), [spec]);
  const names = new Map<string, string>((entries ?? []).map((one) => [one.spec, `${one.title} ${one.boardWidth} × ${one.boardHeight}${one.variant === "standard" ? "" : `, ${one.variant}`}`]));
  if (!names.has(spec)) names.set(spec, taught.find((one) => one.game === spec.split(":")[0])?.title ?? spec);
  return (
    <form
      class="set-up stack"
      aria-label="Set up a position"
      onSubmit={(event: Event) => {
        event.preventDefault();
        const wanted = chosen === spec ? text.trim() : "";
        onSetUp({ spec: chosen, setup: setupFrom(wanted || null), before: [] });
      }}
    >
      <label class="field">
        <span>Game</span>
        <select value={chosen} onChange={(event: Event) => setChosen((event.target as HTMLSelectElement).value)}>
          {[...names].map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {chosen === spec && (
        <label class="field">
          <span>Position{here.startsWith("{") || !here ? "" : " (FEN)"}; empty: the start</span>
          <textarea rows={2} value={text} spellcheck={false} onInput={(event: Event) => setText((event.target as HTMLTextAreaElement).value)} />
        </label>
      )}
      <button type="submit" class="button">
        Set up
      </button>
    </form>
  );
}

/** Where a position has a text of its own, the rest is left out: what a game remembers of its past. */
function asText(setup: Root["setup"]): string {
  if (setup === null || typeof setup === "string") return setup ?? "";
  const { fen } = setup;
  return typeof fen === "string" ? fen : JSON.stringify(setup);
}

/** A position is a text such as a FEN, or JSON. */
export function setupFrom(text: string | null): Root["setup"] {
  if (!text?.startsWith("{")) return text;
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return text; // the site says what is wrong with it
  }
}
