// The choice of two bots that play each other.
import type { CatalogueBot, CatalogueGame } from "../api.gen.ts";
import { Chip } from "../board/chip.tsx";
import { colourOf } from "../board/colours.ts";
import type { Pair } from "../catalogue.ts";

interface TwoBotsProps {
  chosen: CatalogueGame;
  /** The bots, from weakest to strongest. */
  bots: CatalogueBot[];
  pair: Pair;
  onChange: (pair: Pair) => void;
}

export function TwoBots({ chosen, bots, pair, onChange }: TwoBotsProps) {
  return (
    <div class="stack two-bots">
      {([0, 1] as const).map((side) => (
        <label key={side} class="field">
          <span>
            <Chip owner={colourOf(chosen.board, side)} /> {chosen.players[side]}
          </span>
          <select
            value={pair[side].id}
            onChange={(event: Event) => {
              const bot = bots.find(({ id }) => id === (event.target as HTMLSelectElement).value);
              if (bot) onChange(side === 0 ? [bot, pair[1]] : [pair[0], bot]);
            }}
          >
            {bots.map((bot) => (
              <option key={bot.id} value={bot.id}>
                {[bot.name, bot.level.toLowerCase(), bot.strength].filter(Boolean).join(", ")}
              </option>
            ))}
          </select>
        </label>
      ))}
    </div>
  );
}
