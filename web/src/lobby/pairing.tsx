// Quick pairing: the board, the time and the range of ratings, and the button that begins the wait.
import { useState } from "preact/hooks";
import type { CatalogueGame } from "../api.gen.ts";
import { Button } from "../button.tsx";
import type { Offered } from "../catalogue.ts";
import { Choice } from "../choice.tsx";
import { usePerson } from "../identity.ts";
import { remember, remembered } from "../landing/choice.ts";
import { ANY, POOL_TIMES, RANGES, wishOf } from "./boards.ts";
import { BoardField } from "./fields.tsx";
import { seek, stopSeeking, useInbox } from "./inbox.ts";

/** The choices that this browser remembers. */
export interface PoolChoices {
  spec: string;
  time: string;
  range: string;
}

/** Parse the remembered choices; a choice that no longer exists has its default. */
export function poolChoices(text: string | null): PoolChoices {
  const [time = "", range = "", ...spec] = (text ?? "").split(" ");
  const known = (options: { value: string }[], value: string) => (options.some((option) => option.value === value) ? value : ANY);
  return { spec: spec.join(" "), time: known(POOL_TIMES, time), range: known(RANGES, range) };
}

/** Return the remembered choices with their board: the last one, else `otherwise`. */
export function rememberedPool(entries: CatalogueGame[], otherwise: CatalogueGame): PoolChoices & { entry: CatalogueGame } {
  const choices = poolChoices(remembered("pool"));
  return { ...choices, entry: entries.find(({ spec }) => spec === choices.spec) ?? otherwise };
}

interface PairingProps {
  offered: Offered;
  /** The board before the person has chosen one. */
  otherwise: CatalogueGame;
  onChange: () => void;
}

export function Pairing({ offered, otherwise, onChange }: PairingProps) {
  const [choices, setChoices] = useState(() => poolChoices(remembered("pool")));
  const [rated, setRated] = useState(false);
  const person = usePerson();
  const { wait } = useInbox();
  const entry = offered.entries?.find(({ spec }) => spec === choices.spec) ?? otherwise;
  const choose = (changes: Partial<PoolChoices>) => {
    const now = { ...choices, spec: entry.spec, ...changes };
    setChoices(now);
    remember("pool", `${now.time} ${now.range} ${now.spec}`);
    onChange();
  };
  return (
    <form
      class="pairing"
      aria-label="Quick pairing"
      onSubmit={(event: Event) => {
        event.preventDefault();
        if (wait) stopSeeking();
        else seek(wishOf({ entry, ...choices, rated: rated && !!person?.account }));
      }}
    >
      <BoardField offered={offered} chosen={entry} onChoose={({ spec }) => choose({ spec })} />
      <Choice title="Time" value={choices.time} options={POOL_TIMES} onChange={(time) => choose({ time })} />
      <Choice title="Opponent" value={choices.range} options={RANGES} onChange={(range) => choose({ range })} />
      {person?.account && (
        <label class="switch">
          <strong>Rated</strong>
          <input type="checkbox" role="switch" checked={rated} onChange={() => setRated(!rated)} />
        </label>
      )}
      <Button type="submit" class="button">
        {wait ? "Stop looking" : "Find an opponent"}
      </Button>
      {choices.range !== ANY && (
        <p class="quiet-note">
          {person?.account ? "" : "Guests count as 1500. "}The range grows by 50 every 10 seconds while you wait.
        </p>
      )}
    </form>
  );
}
