// The first page: choose a game, a board, an opponent and a side, and play.
import { useEffect, useRef, useState } from "preact/hooks";
import type { CatalogueGame } from "../api.gen.ts";
import { catalogue, keepSeat, newGame } from "../api.ts";
import type { Side } from "../api.ts";
import { BoardPicture } from "../board/drawing.tsx";
import { remember, remembered } from "./choice.ts";
import { Setup } from "./setup.tsx";

interface LandingProps {
  onNotice: (sentence: string) => void;
  onOpen: (id: string) => void;
}

const REFRESH_MS = 5000;
const ONE_COLUMN = "(max-width: 56rem)"; // as in landing.css

export function Landing({ onNotice, onOpen }: LandingProps) {
  const [entries, setEntries] = useState<CatalogueGame[] | null>(null);
  const [trouble, setTrouble] = useState("");
  const [spec, setSpec] = useState<string | null>(remembered("spec"));
  const [starting, setStarting] = useState(false);

  useEffect(() => {
    document.title = "Ludus";
    let gone = false;
    const load = () =>
      catalogue().then(
        (found) => {
          if (gone) return;
          setTrouble("");
          // bots come and go; an unchanged list must not redraw a page in use
          setEntries((old) => (JSON.stringify(old) === JSON.stringify(found) ? old : found));
        },
        (error: Error) => !gone && setTrouble(error.message),
      );
    void load();
    const timer = setInterval(() => document.visibilityState === "visible" && void load(), REFRESH_MS);
    return () => {
      gone = true;
      clearInterval(timer);
    };
  }, []);

  const play = async (entry: CatalogueGame, bot: string, side: Side | null) => {
    setStarting(true);
    try {
      const seat = await newGame(entry.spec, bot, side);
      keepSeat(seat);
      onOpen(seat.id);
    } catch (error) {
      onNotice(error instanceof Error ? error.message : String(error));
      setStarting(false);
    }
  };

  const games = entries ? [...new Set(entries.map((entry) => entry.game))] : [];
  const chosen = entries?.find((entry) => entry.spec === spec) ?? (entries && firstPlayable(entries));
  const choose = (entry: CatalogueGame) => {
    setSpec(entry.spec);
    remember("spec", entry.spec);
  };
  const setup = useRef<HTMLDivElement>(null);
  const chooseGame = (entry: CatalogueGame) => {
    choose(entry);
    // on a phone the panel lies below the shelf
    if (matchMedia(ONE_COLUMN).matches) setup.current?.scrollIntoView({ behavior: "smooth", block: "start" });
  };
  return (
    <div class="landing">
      <main>
        <div class="welcome">
          <h1>A quiet table, a patient opponent.</h1>
          <p>Pick a game, a board and a level. No account; take back as often as you like.</p>
        </div>
        {trouble && (
          <p class="line-lost" role="status">
            {trouble} {entries ? "" : "Trying again…"}
          </p>
        )}
        {entries && chosen && (
          <div class="choosing">
            <section class="shelf" role="radiogroup" aria-label="Game">
              {games.map((game) => (
                <GameCard
                  key={game}
                  entries={entries.filter((entry) => entry.game === game)}
                  chosen={chosen}
                  onChoose={chooseGame}
                />
              ))}
            </section>
            <div ref={setup} class="side">
              <Setup
                entries={entries.filter((entry) => entry.game === chosen.game)}
                chosen={chosen}
                starting={starting}
                onChoose={choose}
                onPlay={play}
              />
            </div>
          </div>
        )}
        {entries?.length === 0 && <p class="quiet-note">The site has no games yet.</p>}
      </main>
    </div>
  );
}

function firstPlayable(entries: CatalogueGame[]): CatalogueGame | undefined {
  return entries.find((entry) => entry.bots.length > 0) ?? entries[0];
}

interface CardProps {
  entries: CatalogueGame[];
  chosen: CatalogueGame;
  onChoose: (entry: CatalogueGame) => void;
}

function GameCard({ entries, chosen, onChoose }: CardProps) {
  const entry = entries.find((one) => one.spec === chosen.spec) ?? firstPlayable(entries);
  if (!entry) return null;
  const levels = new Set(entries.flatMap((one) => one.bots.map((bot) => bot.id))).size;
  return (
    <label class={`card ${entry.game === chosen.game ? "chosen" : ""}`}>
      <input
        type="radio"
        name="game"
        class="visually-hidden"
        checked={entry.game === chosen.game}
        onChange={() => onChoose(entry)}
      />
      <span class="picture" aria-hidden="true">
        <BoardPicture board={entry.board} label="" />
      </span>
      <span class="words">
        <strong>{entry.title}</strong>
        <span>{entry.summary}</span>
        <small>{levels === 0 ? "No opponent is here right now" : levels === 1 ? "1 opponent" : `${levels} opponents`}</small>
      </span>
    </label>
  );
}
