// The form for a new game: variant, board, opponent, side, time, and the start button.
import { useState } from "preact/hooks";
import type { CatalogueBot, CatalogueGame, Choices } from "../api.gen.ts";
import type { Beginning, Side, TimeControl } from "../api.ts";
import { colourOf, sidesOf } from "../board/colours.ts";
import { Button } from "../button.tsx";
import { Avatar } from "../avatar.tsx";
import { boardWords, byStrength, nearestWithBot, pairOf, sensible } from "../catalogue.ts";
import { usePerson } from "../identity.ts";
import { BoardChoice } from "./board-choice.tsx";
import { remember, remembered } from "./choice.ts";
import { BeginningFields } from "./beginning-fields.tsx";
import { beginningFrom, fieldsOf } from "./beginning.ts";
import { FromPosition } from "./from-position.tsx";
import type { Start } from "./from-position.tsx";
import { Segments } from "./segments.tsx";
import { BotTime, TimeChoice } from "./time-choice.tsx";
import { clocksOf, isOverDays, textOf, timeFrom } from "./times.ts";
import type { Time } from "./times.ts";
import { TwoBots } from "./two-bots.tsx";
import { WithoutBot } from "./without-bot.tsx";

/** The chosen settings of a new game. */
export interface Wish {
  entry: CatalogueGame;
  setup: Beginning;
  opponent: { kind: "bot"; bot: string; seconds: number | null } | { kind: "friend" } | { kind: "anyone" } | { kind: "bots"; bots: [string, string] };
  side: Side | null;
  timeControl: TimeControl;
  rated: boolean;
  /** Whether both players see the evaluation bar. */
  withEvaluation: boolean;
}

interface SetupProps {
  /** The entries of the chosen game. */
  entries: CatalogueGame[];
  chosen: CatalogueGame;
  /** Variants and sizes beyond the entries; null: none. */
  choices: Choices | null;
  starting: boolean;
  /** The start position from the analysis board, if any. */
  from: Start | null;
  onForget: () => void;
  onChoose: (entry: CatalogueGame) => void;
  onStart: (wish: Wish) => void;
}

const SIDES: { value: Side | null; name: string }[] = [
  { value: 0, name: "First" },
  { value: null, name: "Random" },
  { value: 1, name: "Second" },
];
const KINDS = [
  { value: "bot", name: "A bot" },
  { value: "friend", name: "A friend" },
  { value: "anyone", name: "Anyone" },
  { value: "bots", name: "Two bots" },
];

export function Setup({ entries, chosen, choices, starting, from, onForget, onChoose, onStart }: SetupProps) {
  const [wantedKind, setKind] = useState(remembered("opponent") ?? "bot");
  const [bot, setBot] = useState(remembered("bot"));
  const [wanted, setWanted] = useState<[string, string]>(["", ""]);
  const [side, setSide] = useState<Side | null>(sideFrom(remembered("side")));
  const [time, setTime] = useState(() => timeFrom(remembered("time")));
  const [botTime, setBotTime] = useState(() => timeFrom(null));
  const [seconds, setSeconds] = useState<number | null>(null);
  const [rated, setRated] = useState(false);
  const [evaluated, setEvaluated] = useState(false);
  const [filled, setFilled] = useState<Record<string, string>>({});
  const fields = from ? [] : fieldsOf(choices, chosen.variant);
  const usual = !from && !beginningFrom(fields, filled);
  const person = usePerson();
  const bots = byStrength(chosen.bots);
  const opponent = sensible(bots, bot);
  const watched = bots.filter((one) => !one.inBrowser); // the others think only for a person
  const pair = pairOf(watched, wanted);
  const kind = wantedKind === "bots" && bots.length && !pair ? "bot" : wantedKind;
  const instead = from ? null : nearestWithBot(entries, chosen);
  const between = kind === "friend" || kind === "anyone";
  const { control, fault } = clocksOf(time);
  const isRated = rated && !!person?.account && usual;
  const thinks = seconds !== null && opponent && seconds <= (opponent.maxSeconds ?? 0) ? seconds : null;
  const forBot = clocksOf(botTime);

  const chooseKind = (value: string) => {
    setKind(value);
    remember("opponent", value);
  };
  const chooseTime = (value: Time) => {
    setTime(value);
    remember("time", textOf(value));
  };

  const start = () => {
    const setup = from ? from.setup : beginningFrom(fields, filled);
    if (kind === "bots") {
      if (pair) onStart({ entry: chosen, setup, opponent: { kind, bots: [pair[0].id, pair[1].id] }, side: null, timeControl: null, rated: false, withEvaluation: false });
    } else if (between) {
      const who = { kind: kind === "friend" ? "friend" : "anyone" } as const;
      onStart({ entry: chosen, setup, opponent: who, side, timeControl: control, rated: isRated, withEvaluation: evaluated && !isRated });
    } else if (opponent) {
      onStart({ entry: chosen, setup, opponent: { kind: "bot", bot: opponent.id, seconds: thinks }, side, timeControl: forBot.control, rated: false, withEvaluation: false });
    }
  };
  return (
    <form
      class={`setup ${chosen.board.style}`}
      style={sidesOf(chosen.board)}
      aria-label={`New game of ${chosen.title}`}
      onSubmit={(event: Event) => {
        event.preventDefault();
        start();
      }}
    >
      <h2>
        {chosen.title} <a href={`/learn/${chosen.game}`}>Read the rules</a>
      </h2>
      {from ? <FromPosition from={from} onForget={onForget} /> : <BoardChoice entries={entries} chosen={chosen} choices={choices} onChoose={onChoose} />}
      <Segments legend="Opponent" options={bots.length && !pair ? KINDS.filter(({ value }) => value !== "bots") : KINDS} value={kind} onChange={chooseKind} />
      {kind === "bots" && pair ? (
        <TwoBots chosen={chosen} bots={watched} pair={pair} onChange={([first, second]) => setWanted([first.id, second.id])} />
      ) : !between && opponent ? (
        <>
          <Opponents
            bots={bots}
            value={opponent.id}
            onChange={(id) => {
              setBot(id);
              remember("bot", id);
            }}
          />
          <BotTime most={opponent.maxSeconds ?? 0} seconds={thinks} onSeconds={setSeconds} time={botTime} onTime={setBotTime} />
        </>
      ) : !between ? (
        <WithoutBot
          chosen={chosen}
          instead={instead}
          insteadWords={instead ? boardWords({ entries, choices: choices ? [choices] : [] }, instead) : ""}
          onFriend={() => chooseKind("friend")}
          onAnyone={() => chooseKind("anyone")}
          onInstead={() => instead && onChoose(instead)}
        />
      ) : (
        <TimeChoice time={time} guest={!person?.account} onChange={chooseTime} />
      )}
      {kind !== "bots" && (between || opponent) && (
        <Segments
          legend="You play"
          options={SIDES.map(({ value, name }) => ({ value: String(value), name: value === null ? name : chosen.players[value], chip: value === null ? null : colourOf(chosen.board, value), title: name }))}
          value={String(side)}
          onChange={(value) => {
            setSide(sideFrom(value));
            remember("side", value);
          }}
        />
      )}
      <BeginningFields key={chosen.spec} fields={fields} values={filled} onChange={setFilled} />
      {chosen.arranges && !from && (
        <a class="arrange-link" href={`/study?spec=${encodeURIComponent(chosen.spec)}&arrange=yes`}>
          Set up a position
        </a>
      )}
      {between && person?.account && usual && (
        <label class="switch">
          <span>
            <strong>Rated</strong>
          </span>
          <input type="checkbox" role="switch" checked={rated} onChange={() => setRated(!rated)} />
        </label>
      )}
      {between && !isRated && (
        <label class="switch">
          <span>
            <strong>Evaluation bar</strong>
            <small>Both of you see win chances during the game, and nobody sees best moves.</small>
          </span>
          <input type="checkbox" role="switch" checked={evaluated} onChange={() => setEvaluated(!evaluated)} />
        </label>
      )}
      {(between || opponent) && (
        <Button type="submit" class="button primary large" disabled={(between ? fault !== "" || (isOverDays(time) && !person?.account) : forBot.fault !== "") || starting}>
          {starting ? "Starting…" : doing(kind, opponent)}
        </Button>
      )}
    </form>
  );
}

/** Return the text of the start button. */
function doing(kind: string, bot: CatalogueBot | undefined): string {
  if (kind === "friend") return "Create a link for a friend";
  if (kind === "anyone") return "Offer a seat";
  return kind === "bots" || !bot ? "Watch them play" : `Play ${bot.name}`;
}

function sideFrom(text: string | null): Side | null {
  return text === "0" ? 0 : text === "1" ? 1 : null;
}

function Opponents({ bots, value, onChange }: { bots: CatalogueBot[]; value: string; onChange: (id: string) => void }) {
  const bot = bots.find((one) => one.id === value);
  const source = bot?.strengthSource;
  return (
    <fieldset class="opponents">
      <legend>Level</legend>
      {bots.map((bot, index) => (
        <label key={bot.id} class={bot.id === value ? "chosen" : ""}>
          <input
            type="radio"
            class="visually-hidden"
            name="opponent"
            checked={bot.id === value}
            onChange={() => onChange(bot.id)}
          />
          <Avatar name={bot.name} appearance={bot.appearance} />
          <span class="name">{bot.name}</span>
          <span class="level">
            {[bot.level, bot.private ? "private" : ""].filter(Boolean).join(", ")}
            {bot.strength && <small>{bot.strength}</small>}
          </span>
          <Strength of={bots.length} value={index + 1} />
        </label>
      ))}
      {bot?.inBrowser && <p class="quiet-note">{bot.name} thinks in your browser, so the game is not rated. The first game loads its engine.</p>}
      {source && <p class="quiet-note">{source}</p>}
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
