// The fields of the position editor for the game and for the position as text.
import { useEffect, useRef, useState } from "preact/hooks";
import { Button } from "../button.tsx";
import { boardWords, useCatalogue } from "../catalogue.ts";
import { Choice } from "../choice.tsx";

interface GameProps {
  spec: string;
  onSpec: (spec: string) => void;
}

/** Return the name of a game for links: for a game in a file, without the folder and the ending. */
const publicName = (spec: string) => spec.replace(/^.*?([^/\\]+)\.py(?=:|$)/, "$1");

export function GameField({ spec, onSpec }: GameProps) {
  const offered = useCatalogue();
  const names = new Map<string, string>((offered.entries ?? []).map((one) => [publicName(one.spec), boardWords(offered, one)]));
  const chosen = publicName(spec);
  if (!names.has(chosen)) names.set(chosen, chosen);
  return <Choice title="Game" value={chosen} options={[...names].map(([value, name]) => ({ value, name }))} onChange={onSpec} />;
}

interface PositionProps {
  /** The position in the game's text format. */
  text: string;
  onRead: (text: string) => void;
}

export function PositionField({ text, onRead }: PositionProps) {
  const [typed, setTyped] = useState(text);
  const before = useRef(text);
  useEffect(() => {
    // keep text that was pasted before the position's own text arrived
    setTyped((old) => (old && !before.current ? old : text));
    before.current = text;
  }, [text]);
  return (
    <form
      class="position-text"
      onSubmit={(event: Event) => {
        event.preventDefault();
        onRead(typed);
      }}
    >
      <label class="field">
        <span>Position as text{text.startsWith("{") || !text ? "" : " (FEN)"}, or a whole game</span>
        <textarea rows={2} value={typed} spellcheck={false} onInput={(event: Event) => setTyped((event.target as HTMLTextAreaElement).value)} />
      </label>
      <Button type="submit" class="button small" disabled={typed.trim() === text}>
        Load
      </Button>
    </form>
  );
}
