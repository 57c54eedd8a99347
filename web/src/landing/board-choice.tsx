// The choice of variant, board size and opening rule, from the catalogue and beyond it.
import type { CatalogueGame, Choices } from "../api.gen.ts";
import { beyond, sameBoard } from "../catalogue.ts";
import { Segments } from "./segments.tsx";

interface BoardChoiceProps {
  /** The entries of the chosen game. */
  entries: CatalogueGame[];
  chosen: CatalogueGame;
  choices: Choices | null;
  onChoose: (entry: CatalogueGame) => void;
}

export function BoardChoice({ entries, chosen, choices, onChoose }: BoardChoiceProps) {
  const opening = choices?.switch ? `-${choices.switch.value}` : "";
  const isOpen = !!opening && chosen.variant.endsWith(opening);
  const rule = isOpen ? chosen.variant.slice(0, -opening.length) : chosen.variant;
  const rules = new Map([
    ...entries.map(({ variant }) => [variant, capital(variant)] as const),
    ...(choices?.variants.map(({ value, name }) => [value, name] as const) ?? []),
  ]);
  const choose = (variant: string, columns: number, rows: number) => {
    const { game } = chosen;
    const wanted = { game, variant, boardWidth: columns, boardHeight: rows };
    const same = entries.find((entry) => sameBoard(entry, wanted));
    // without a list of sizes, each variant in the catalogue has its own boards
    const entry = same ?? (choices?.sizes.length ? null : entries.find((one) => one.variant === variant));
    const spec = `${game}:${variant}:${columns}x${rows}`; // the site converts this to the game's own spec
    onChoose(entry ?? beyond(chosen, choices ? [choices] : [], { spec, ...wanted }));
  };
  const sizes = new Map([
    ...(choices?.sizes ?? []).map(([columns, rows]) => [`${columns} × ${rows}`, [columns, rows]] as const),
    ...entries
      .filter((entry) => entry.variant === chosen.variant)
      .map((entry) => [boardName(entry), [entry.boardWidth, entry.boardHeight]] as const),
  ]);
  /** Say of an option that no bot plays it, unless no bot plays the game at all. */
  const noteOf = (isIt: (entry: CatalogueGame) => boolean) => {
    const played = entries.filter((entry) => entry.bots.length > 0);
    return played.length === 0 || played.some(isIt) ? undefined : "no bot";
  };
  const ordered = [...sizes].sort(([, a], [, b]) => (a[0] ?? 0) * (a[1] ?? 0) - (b[0] ?? 0) * (b[1] ?? 0));
  return (
    <>
      {rules.size > 1 && (
        <Segments
          legend={choices?.variants.length ? "Rules" : "Variant"}
          options={[...rules].map(([value, name]) => ({ value, name, note: noteOf(({ variant }) => variant === value || variant === value + opening) }))}
          value={rule}
          onChange={(value) => choose(value + (isOpen ? opening : ""), chosen.boardWidth, chosen.boardHeight)}
        />
      )}
      {ordered.length > 1 && (
        <Segments
          legend="Board"
          options={ordered.map(([name]) => ({ value: name, name, note: noteOf((entry) => entry.variant === chosen.variant && boardName(entry) === name) }))}
          value={boardName(chosen)}
          onChange={(name) => {
            const [columns = 0, rows = 0] = sizes.get(name) ?? [];
            choose(chosen.variant, columns, rows);
          }}
        />
      )}
      {choices?.switch && (
        <label class="switch">
          <strong>{choices.switch.name} opening</strong>
          <input
            type="checkbox"
            role="switch"
            checked={isOpen}
            onChange={() => choose(isOpen ? rule : rule + opening, chosen.boardWidth, chosen.boardHeight)}
          />
        </label>
      )}
    </>
  );
}

const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

function boardName(entry: CatalogueGame): string {
  return `${entry.boardWidth} × ${entry.boardHeight}`;
}
