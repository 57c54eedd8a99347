// The landing page: quick play, the choice of game and opponent, the person's games, open seats and live games.
import { useEffect, useRef, useState } from "preact/hooks";
import type { CatalogueGame, Snapshot } from "../api.gen.ts";
import { useGone } from "../answer.ts";
import { joinGame, keepSeat, matchBots, openGame, playBot, tokenOf } from "../api.ts";
import { sidesOf } from "../board/colours.ts";
import { BoardPicture } from "../board/drawing.tsx";
import { current, entryFor, firstPlayable, sensible, useCatalogue } from "../catalogue.ts";
import { useLobby } from "../feeds.ts";
import { counted } from "../game/words.ts";
import { nameOfPerson, usePerson } from "../identity.ts";
import { Lazily } from "../lazily.tsx";
import { seek, stopSeeking, useInbox } from "../lobby/inbox.ts";
import { Pairing, rememberedPool } from "../lobby/pairing.tsx";
import { wishFor, wishOf } from "../lobby/boards.ts";
import { prefersStillness } from "../motion.ts";
import { isNarrow } from "../narrow.ts";
import { asError } from "../notice.ts";
import type { OnNotice } from "../notice.ts";
import { remember, remembered } from "./choice.ts";
import { useStart } from "./from-position.tsx";
import { PlayNow } from "./play-now.tsx";
import { offersFor } from "./offers.ts";
import { LiveList, SeatList } from "./lists.tsx";
import { OwnGameList } from "./own-games.tsx";
import { Setup } from "./setup.tsx";
import type { Wish } from "./setup.tsx";
import { Showcase } from "./showcase.tsx";

const NEW_GAME = "#new-game"; // in addresses that lead to the form

interface LandingProps {
  onNotice: OnNotice;
  onOpen: (id: string) => void;
}

export function Landing({ onNotice, onOpen }: LandingProps) {
  const offered = useCatalogue();
  const { entries, choices, trouble } = offered;
  const [made, setMade] = useState<CatalogueGame | null>(null);
  const wanted = new URLSearchParams(location.search).get("game");
  const [spec, setSpec] = useState<string | null>(wanted ? null : remembered("spec"));
  const [starting, setStarting] = useState(false);
  const [from, forget] = useStart(onNotice);
  const lobby = useLobby();
  const { wait } = useInbox();
  const person = usePerson();
  const [, redraw] = useState(0); // after a choice that the browser remembers
  const gone = useGone();
  useEffect(() => {
    document.title = "Ludus";
  }, []);

  const start = async ({ entry, setup, opponent, side, timeControl, rated, withEvaluation }: Wish) => {
    setStarting(true);
    try {
      if (opponent.kind === "bots") {
        const match = await matchBots(entry, setup, opponent.bots);
        if (!gone.current) onOpen(match);
        return;
      }
      const name = await nameOfPerson();
      const seat =
        opponent.kind === "bot"
          ? await playBot({ game: entry, setup, botId: opponent.bot, side, name, timeControl, botSeconds: opponent.seconds })
          : await openGame({ game: entry, setup, matchType: opponent.kind === "friend" ? "friend" : "matchmaking", side, timeControl, rated, withEvaluation, name });
      keepSeat(seat);
      stopSeeking();
      if (!gone.current) onOpen(seat.id); // if the person has left the page, the game is listed under "Your games"
    } catch (error) {
      onNotice(asError(error));
      setStarting(false);
    }
  };

  const take = async (seat: Snapshot) => {
    setStarting(true);
    try {
      const own = await joinGame(seat.id, await nameOfPerson());
      if (own) {
        keepSeat(own);
        stopSeeking();
        if (!gone.current) onOpen(own.id);
        return;
      }
      onNotice("This seat has just been taken.");
    } catch (error) {
      onNotice(asError(error));
    }
    setStarting(false);
  };

  const games = entries ? [...new Set(entries.map((entry) => entry.game))] : [];
  const ofWanted = entries?.filter((entry) => entry.game === wanted) ?? [];
  const brought = entries && from && entryFor(entries, choices, from.spec, from.view);
  const listed = entries?.find((entry) => entry.spec === spec);
  const chosen = brought ?? listed ?? (entries && made && made.spec === spec ? current(entries, made) : null) ?? firstPlayable(ofWanted) ?? (entries && firstPlayable(entries));
  const quick = entries && (chosen?.bots.length ? chosen : firstPlayable(entries));
  const bot = quick && sensible(quick.bots, remembered("bot"));
  const choose = (entry: CatalogueGame) => {
    setSpec(entry.spec);
    setMade(entry);
    remember("spec", entry.spec);
  };
  const setup = useRef<HTMLDivElement>(null);
  const pointed = useRef(false);
  useEffect(() => {
    if (entries && location.hash === NEW_GAME) setup.current?.scrollIntoView({ block: "start" });
  }, [!entries]);
  const chooseGame = (entry: CatalogueGame) => {
    forget();
    choose(entry);
    // on phones, scroll to the panel below the cards, but only after a tap: keyboard users stay at the cards
    if (pointed.current && isNarrow()) setup.current?.scrollIntoView({ behavior: prefersStillness() ? "instant" : "smooth", block: "start" });
  };
  const pool = entries && quick && rememberedPool(entries, quick);
  const [offer] = offersFor(lobby, {
    account: !!person?.account,
    game: remembered("pool") ? (pool?.entry.game ?? "") : (quick?.game ?? ""),
    isMine: (id) => tokenOf(id) !== null,
    wish: wait?.wish ?? null,
  });
  return (
    <div class="landing">
      <main>
        <div class="welcome">
          <div>
            <h1>Play board games against bots that taught themselves.</h1>
            <p>No account needed. Against bots, take back as many moves as you like.</p>
            {quick && pool && (
              <PlayNow
                offered={offered}
                offer={offer}
                wish={wishOf({ ...pool, rated: false })}
                quick={quick}
                bot={bot ?? null}
                busy={starting}
                onPerson={() => (offer ? ("seat" in offer ? void take(offer.seat) : seek(wishFor(offer.entry))) : seek(wishOf({ ...pool, rated: false })))}
                onBot={(one) => start({ entry: quick, setup: null, opponent: { kind: "bot", bot: one.id, seconds: null }, side: null, timeControl: null, rated: false, withEvaluation: false })}
              />
            )}
          </div>
          {chosen && <Showcase otherwise={chosen} />}
        </div>
        {trouble && (
          <p class="line-lost" role="status">
            {trouble} {entries ? "" : "Trying again…"}
          </p>
        )}
        <OwnGameList offered={offered} />
        {entries && chosen && (
          <div class="lobby">
            <section class="panel people" aria-label="Play a person">
              <h2>Play a person</h2>
              <Pairing offered={offered} otherwise={quick ?? chosen} onChange={() => redraw((old) => old + 1)} />
              <SeatList offered={offered} lobby={lobby} busy={starting} onTake={(seat) => void take(seat)} />
              <a href="/ratings">See the best players</a>
            </section>
            <LiveList offered={offered} />
          </div>
        )}
        <Lazily load={() => import("../puzzles/daily.tsx")} onNotice={() => {}} onFail={() => {}}>
          {({ DailyPuzzle }) => <DailyPuzzle />}
        </Lazily>
        {entries && chosen && (
          <div class="choosing">
            <div>
              <div
                class="shelf"
                role="radiogroup"
                aria-label="Game"
                onPointerDown={() => (pointed.current = true)}
                onKeyDown={() => (pointed.current = false)}
              >
                {games.map((game) => (
                  <GameCard
                    key={game}
                    entries={entries.filter((entry) => entry.game === game)}
                    chosen={chosen}
                    onChoose={chooseGame}
                  />
                ))}
              </div>
            </div>
            <div ref={setup} class="side">
              <Setup
                entries={entries.filter((entry) => entry.game === chosen.game)}
                chosen={chosen}
                choices={choices.find((one) => one.game === chosen.game) ?? null}
                starting={starting}
                from={brought ? from : null}
                onForget={forget}
                onChoose={choose}
                onStart={start}
              />
            </div>
          </div>
        )}
        {entries?.length === 0 && <p class="quiet-note">The site has no games yet.</p>}
      </main>
    </div>
  );
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
    <label class={`card ${entry.board.style} ${entry.game === chosen.game ? "chosen" : ""}`} style={sidesOf(entry.board)}>
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
        <small>{levels === 0 ? "Against people" : counted(levels, "bot")}</small>
      </span>
    </label>
  );
}
