// The choice of the game, the variant, the board and the options that are analysed: every board that the rules know.
import { useState } from "preact/hooks";
import type { CatalogueGame, Choices, StudyView } from "../api.gen.ts";
import { beyond, boardWords, entryFor, useCatalogue } from "../catalogue.ts";
import { BeginningFields } from "../landing/beginning-fields.tsx";
import { beginningFrom, fieldsOf } from "../landing/beginning.ts";
import { BoardChoice } from "../landing/board-choice.tsx";
import { addressOf } from "./addresses.ts";

interface PickerProps {
  spec: string;
  /** A position of the game that is analysed. */
  view: StudyView;
}

export function GamePicker({ spec, view }: PickerProps) {
  const offered = useCatalogue();
  const { entries, choices } = offered;
  const [isOpen, setOpen] = useState(false);
  const here = entries ? entryFor(entries, choices, spec, view) : undefined;
  return (
    <details class="panel picker" open={isOpen} onToggle={(event: Event) => setOpen((event.currentTarget as HTMLDetailsElement).open)}>
      <summary>
        <h2>{here ? boardWords(offered, here) : "Game"}</h2>
        <small>Change the game</small>
      </summary>
      {isOpen && entries && here && <Picking entries={entries} choices={choices} here={here} />}
    </details>
  );
}

interface PickingProps {
  entries: CatalogueGame[];
  choices: Choices[];
  /** The board that is analysed. */
  here: CatalogueGame;
}

function Picking({ entries, choices, here }: PickingProps) {
  const [chosen, setChosen] = useState(here);
  const [filled, setFilled] = useState<Record<string, string>>({});
  const games = new Map(entries.map((entry) => [entry.game, entry] as const));
  const own = choices.find((one) => one.game === chosen.game) ?? null;
  const fields = fieldsOf(own, chosen.variant);
  const choose = (entry: CatalogueGame) => {
    setChosen(entry);
    setFilled({});
  };
  const hasEngine = chosen.bots.some((bot) => bot.official);
  return (
    <div class="stack">
      <label class="field">
        <span>Game</span>
        <select value={chosen.game} onChange={(event: Event) => choose(entries.find((one) => one.game === (event.target as HTMLSelectElement).value) ?? chosen)}>
          {[...games].map(([game, { title }]) => (
            <option key={game} value={game}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <BoardChoice entries={entries.filter((one) => one.game === chosen.game)} chosen={chosen} choices={own} onChoose={choose} />
      {/:\d+x\d+/.test(chosen.spec) && <OtherSize key={chosen.game} chosen={chosen} choices={choices} onChoose={choose} />}
      <BeginningFields fields={fields} values={filled} onChange={setFilled} />
      {!hasEngine && <p class="quiet-note">No engine of this site evaluates this board. Everything else works.</p>}
      <a class="button primary" href={addressOf({ spec: chosen.spec, setup: beginningFrom(fields, filled), before: [] })}>
        Analyse this game
      </a>
    </div>
  );
}

/** A board of a size that is in no list. */
function OtherSize({ chosen, choices, onChoose }: { chosen: CatalogueGame; choices: Choices[]; onChoose: (entry: CatalogueGame) => void }) {
  const set = (columns: number, rows: number) => {
    const { game, variant } = chosen;
    if (!columns || !rows) return;
    onChoose(beyond(chosen, choices, { spec: `${game}:${variant}:${columns}x${rows}`, game, variant, boardWidth: columns, boardHeight: rows }));
  };
  const number = (name: string, value: number, take: (value: number) => void) => (
    <label class="field">
      <span>{name}</span>
      <input type="number" min={3} max={25} step={1} value={value} onChange={(event: Event) => take(Number((event.target as HTMLInputElement).value))} />
    </label>
  );
  return (
    <div class="other-size">
      {number("Columns", chosen.boardWidth, (value) => set(value, chosen.boardHeight))}
      {number("Rows", chosen.boardHeight, (value) => set(chosen.boardWidth, value))}
    </div>
  );
}
