// The panel beside the games: variant, size, opponent, side, and the button that starts.
import { useState } from "preact/hooks";
import type { CatalogueBot, CatalogueGame } from "../api.gen.ts";
import type { Side } from "../api.ts";
import { remember, remembered } from "./choice.ts";

interface SetupProps {
  /** The entries of the chosen game. */
  entries: CatalogueGame[];
  chosen: CatalogueGame;
  starting: boolean;
  onChoose: (entry: CatalogueGame) => void;
  onPlay: (entry: CatalogueGame, bot: string, side: Side | null) => void;
}

const SIDES: { value: Side | null; name: string }[] = [
  { value: 0, name: "First" },
  { value: null, name: "Random" },
  { value: 1, name: "Second" },
];

export function Setup({ entries, chosen, starting, onChoose, onPlay }: SetupProps) {
  const [bot, setBot] = useState(remembered("bot"));
  const [side, setSide] = useState<Side | null>(sideFrom(remembered("side")));
  const variants = [...new Set(entries.map((entry) => entry.variant))];
  const sizes = entries.filter((entry) => entry.variant === chosen.variant);
  const bots = [...chosen.bots].sort((a, b) => a.rank - b.rank);
  const opponent = bots.find((one) => one.id === bot) ?? bots[0];

  const chooseVariant = (variant: string) => {
    const same = entries.find((entry) => entry.variant === variant && entry.size === chosen.size);
    const entry = same ?? entries.find((one) => one.variant === variant);
    if (entry) onChoose(entry);
  };
  return (
    <form
      class={`setup ${chosen.board.style}`}
      aria-label={`New game of ${chosen.title}`}
      onSubmit={(event: Event) => {
        event.preventDefault();
        if (opponent) onPlay(chosen, opponent.id, side);
      }}
    >
      <h2>{chosen.title}</h2>
      {variants.length > 1 && (
        <Segments
          legend="Variant"
          options={variants.map((name) => ({ value: name, name: capitalised(name) }))}
          value={chosen.variant}
          onChange={chooseVariant}
        />
      )}
      {sizes.length > 1 && (
        <Segments
          legend="Board"
          options={sizes.map((entry) => ({ value: entry.spec, name: entry.size.replace("x", " × ") }))}
          value={chosen.spec}
          onChange={(spec) => {
            const entry = sizes.find((one) => one.spec === spec);
            if (entry) onChoose(entry);
          }}
        />
      )}
      <Opponents
        bots={bots}
        value={opponent?.id ?? ""}
        onChange={(id) => {
          setBot(id);
          remember("bot", id);
        }}
      />
      <Segments
        legend="You play"
        options={SIDES.map(({ value, name }) => ({ value: String(value), name, chip: value }))}
        value={String(side)}
        onChange={(value) => {
          setSide(sideFrom(value));
          remember("side", value);
        }}
      />
      <button type="submit" class="button primary large" disabled={!opponent || starting}>
        {starting ? "Starting…" : opponent ? `Play ${opponent.name}` : "No opponent is here"}
      </button>
    </form>
  );
}

function sideFrom(text: string | null): Side | null {
  return text === "0" ? 0 : text === "1" ? 1 : null;
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

interface SegmentsProps {
  legend: string;
  options: { value: string; name: string; chip?: Side | null }[];
  value: string;
  onChange: (value: string) => void;
}

function Segments({ legend, options, value, onChange }: SegmentsProps) {
  return (
    <fieldset class="segments">
      <legend>{legend}</legend>
      <div class="options">
        {options.map((option) => (
          <label key={option.value} class={option.value === value ? "chosen" : ""}>
            <input
              type="radio"
              class="visually-hidden"
              name={legend}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            {typeof option.chip === "number" && <span class={`chip owner-${option.chip}`} aria-hidden="true" />}
            {option.name}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function Opponents({ bots, value, onChange }: { bots: CatalogueBot[]; value: string; onChange: (id: string) => void }) {
  if (!bots.length) {
    return <p class="quiet-note">No opponent for this board is connected. One may arrive at any moment; this list refreshes itself.</p>;
  }
  return (
    <fieldset class="opponents">
      <legend>Opponent</legend>
      {bots.map((bot, index) => (
        <label key={bot.id} class={bot.id === value ? "chosen" : ""}>
          <input
            type="radio"
            class="visually-hidden"
            name="opponent"
            checked={bot.id === value}
            onChange={() => onChange(bot.id)}
          />
          <span class="name">{bot.name}</span>
          <span class="level">{bot.level}</span>
          <Strength of={bots.length} value={index + 1} />
        </label>
      ))}
    </fieldset>
  );
}

function Strength({ of, value }: { of: number; value: number }) {
  return (
    <span class="strength" aria-hidden="true">
      {Array.from({ length: of }, (_, index) => (
        <i key={index} class={index < value ? "on" : ""} />
      ))}
    </span>
  );
}
