// The choice of the game, the variant, the board and the options that are analysed: every board that the rules know.
import { useEffect, useState } from "preact/hooks";
import { useAnswer } from "../answer.ts";
import type { CatalogueGame, Choices } from "../api.gen.ts";
import { study } from "../api.ts";
import { beyond, boardWords } from "../catalogue.ts";
import type { Offered } from "../catalogue.ts";
import { Choice } from "../choice.tsx";
import { BeginningFields } from "../landing/beginning-fields.tsx";
import { beginningFrom, fieldsOf } from "../landing/beginning.ts";
import { BoardChoice } from "../landing/board-choice.tsx";
import { addressOf } from "./addresses.ts";

const LEAST = 3; // columns and rows, as bots declare them
const MOST = 25;

interface PickerProps {
  offered: Offered;
  /** The board that is analysed; undefined until it is known. */
  here: CatalogueGame | undefined;
}

export function GamePicker({ offered, here }: PickerProps) {
  const { entries, choices } = offered;
  const [isOpen, setOpen] = useState(false);
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
  const setup = beginningFrom(fields, filled);
  const { found, error } = useAnswer(() => study({ spec: chosen.spec, setup }), [chosen.spec, JSON.stringify(setup)]);
  return (
    <div class="stack">
      <Choice
        title="Game"
        value={chosen.game}
        options={[...games].map(([value, { title }]) => ({ value, name: title }))}
        onChange={(game) => choose(entries.find((one) => one.game === game) ?? chosen)}
      />
      <BoardChoice entries={entries.filter((one) => one.game === chosen.game)} chosen={chosen} choices={own} onChoose={choose} />
      {/:\d+x\d+/.test(chosen.spec) && <OtherSize key={chosen.game} chosen={chosen} choices={choices} onChoose={choose} />}
      <BeginningFields fields={fields} values={filled} onChange={setFilled} />
      <p class={error ? "fault" : "quiet-note"} role="status">
        {error ? error.message : found && (found.judge ? `${found.judge} evaluates this board.` : "No engine of this site evaluates this board. Everything else works.")}
      </p>
      {!error && (
        <a class="button primary" href={addressOf({ spec: chosen.spec, setup, before: [] })}>
          Analyse this game
        </a>
      )}
    </div>
  );
}

interface SizeProps {
  chosen: CatalogueGame;
  choices: Choices[];
  onChoose: (entry: CatalogueGame) => void;
}

/** A board of a size that is in no list. */
function OtherSize({ chosen, choices, onChoose }: SizeProps) {
  const { game, variant, boardWidth, boardHeight } = chosen;
  const [typed, setTyped] = useState([boardWidth, boardHeight].map(String));
  useEffect(() => setTyped([boardWidth, boardHeight].map(String)), [boardWidth, boardHeight]);
  const type = (at: 0 | 1) => (event: Event) => {
    const next = typed.map((old, index) => (index === at ? (event.target as HTMLInputElement).value : old));
    setTyped(next);
    const [columns = 0, rows = 0] = next.map(Number);
    if (columns < LEAST || rows < LEAST || columns > MOST || rows > MOST) return; // more digits may follow
    onChoose(beyond(chosen, choices, { spec: `${game}:${variant}:${columns}x${rows}`, game, variant, boardWidth: columns, boardHeight: rows }));
  };
  return (
    <div class="other-size">
      {(["Columns", "Rows"] as const).map((name, index) => (
        <label key={name} class="field">
          <span>{name}</span>
          <input type="number" min={LEAST} max={MOST} step={1} value={typed[index]} onInput={type(index === 0 ? 0 : 1)} />
        </label>
      ))}
    </div>
  );
}
