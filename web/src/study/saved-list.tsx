// The analyses that this browser keeps: saving under a name, opening and deleting.
import { useState } from "preact/hooks";
import { Button } from "../button.tsx";
import { Icon } from "../icons.tsx";
import { asError } from "../notice.ts";
import type { OnNotice } from "../notice.ts";
import { savedAddress } from "./addresses.ts";
import { forget, save, savedOnes } from "./saved.ts";
import type { Named, Saved } from "./saved.ts";

interface SavedProps {
  /** What is on the board, to be saved. */
  now: () => Pick<Saved, "spec" | "setup" | "tree" | "at">;
  /** The analysis that is open, if it was saved before. */
  saved: Named;
  /** The name of a new one. */
  usual: string;
  onSaved: (saved: Named) => void;
  onNotice: OnNotice;
}

export function SavedList({ now, saved, usual, onSaved, onNotice }: SavedProps) {
  const [all, setAll] = useState(savedOnes);
  const [name, setName] = useState<string | null>(null);
  const shown = name ?? saved?.name ?? usual;
  const attempt = (act: () => void) => {
    try {
      act();
      setAll(savedOnes());
    } catch (error) {
      onNotice(asError(error));
    }
  };
  const keep = (id: string) =>
    attempt(() => {
      const one = { id, name: shown.trim() || usual };
      save({ ...one, ...now(), when: Date.now() });
      onSaved(one);
      onNotice("Saved in this browser.");
    });
  const drop = (id: string) =>
    attempt(() => {
      forget(id);
      if (saved?.id === id) onSaved(null);
    });
  return (
    <details class="panel saved">
      <summary>
        <h2>Saved analyses</h2>
        <small>{all.length || "none"}</small>
      </summary>
      <form
        class="stack"
        onSubmit={(event: Event) => {
          event.preventDefault();
          keep(saved?.id ?? crypto.getRandomValues(new Uint32Array(2)).join("-"));
        }}
      >
        <label class="field">
          <span>Name</span>
          <input type="text" value={shown} maxLength={80} onInput={(event: Event) => setName((event.target as HTMLInputElement).value)} />
        </label>
        <Button type="submit" class="button small">
          {saved ? "Save the changes" : "Save in this browser"}
        </Button>
      </form>
      <ul class="kept">
        {all.map((one) => (
          <li key={one.id}>
            <a href={savedAddress(one.id)} aria-current={one.id === saved?.id ? "true" : undefined}>
              {one.name}
              <small>{new Date(one.when).toLocaleString()}</small>
            </a>
            <button type="button" class="icon-button" aria-label={`Delete ${one.name}`} title="Delete" onClick={() => drop(one.id)}>
              <Icon name="cross" />
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
