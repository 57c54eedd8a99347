// The form field for the board of a game between people.
import type { CatalogueGame } from "../api.gen.ts";
import { boardWords, byTitle } from "../catalogue.ts";
import type { Offered } from "../catalogue.ts";

interface BoardProps {
  offered: Offered;
  chosen: CatalogueGame;
  onChoose: (entry: CatalogueGame) => void;
}

/** The choice of one of the catalogue's boards, by game. */
export function BoardField({ offered, chosen, onChoose }: BoardProps) {
  const entries = offered.entries ?? [];
  return (
    <label class="field">
      <span>Game</span>
      <select
        value={chosen.spec}
        onChange={(event: Event) => {
          const entry = entries.find(({ spec }) => spec === (event.target as HTMLSelectElement).value);
          if (entry) onChoose(entry);
        }}
      >
        {byTitle(entries).map(([title, own]) =>
          own.length === 1 && own[0] ? (
            <option key={title} value={own[0].spec}>
              {boardWords(offered, own[0])}
            </option>
          ) : (
            <optgroup key={title} label={title}>
              {own.map((entry) => (
                <option key={entry.spec} value={entry.spec}>
                  {boardWords(offered, entry)}
                </option>
              ))}
            </optgroup>
          ),
        )}
      </select>
    </label>
  );
}
