// The player's buttons besides moves: take back, offer a draw, resign, rematch.
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { gamePath } from "../address.ts";
import type { GameState, ToSite } from "../api.gen.ts";
import { useAsking } from "../asking.ts";
import { Button } from "../button.tsx";
import { Icon } from "../icons.tsx";
import type { IconName } from "../icons.tsx";
import { isOverDays } from "./clock-face.ts";
import { Offers } from "./offers.tsx";
import type { BrowserBot } from "./use-browser-bot.ts";
import { claimWords, stalledWords } from "./words.ts";

interface ActionsProps {
  state: GameState;
  /** Whether the connection is open. */
  ready: boolean;
  send: (message: ToSite) => void;
  /** The opponent, if it is a bot that thinks in this browser. */
  browserBot: BrowserBot;
  /** Buttons for a finished game. */
  afterwards?: ComponentChildren;
}

const GIVEN_S = 15;

function NextGame({ id }: { id: string }) {
  return (
    <a class="button primary" href={gamePath(id)}>
      <Icon name="again" /> Open the next game
    </a>
  );
}

export function Actions({ state, ready, send, browserBot, afterwards }: ActionsProps) {
  const { asking, ask, button, harmless } = useAsking();
  useEffect(() => ask(false), [state.status, state.ply]);
  const action = (name: string, icon: IconName, message: ToSite, disabled = false, title?: string) => (
    <Button title={title} disabled={!ready || disabled} onClick={() => send(message)}>
      <Icon name={icon} /> {name}
    </Button>
  );
  const offered = (what: string) => state.offers.some((offer) => offer.what === what && offer.by === state.you);

  if (state.you === null) {
    return (
      <div class="actions">
        <p class="quiet-note">You are watching.</p>
        {state.status === "over" && afterwards}
        {state.rematch && <NextGame id={state.rematch} />}
        <a class="button" href="/">
          Play a game
        </a>
      </div>
    );
  }
  // the keys keep a focused button from turning into a button of another row
  if (state.status === "over") {
    const hasOpponent = state.players.every((player) => player.kind !== "open");
    return (
      <div key="over" class="actions">
        <Offers state={state} ready={ready} send={send} />
        {state.rematch ? (
          <NextGame id={state.rematch} />
        ) : (
          hasOpponent && (
            <Button class="button primary" disabled={!ready || offered("rematch")} onClick={() => send({ type: "offer", what: "rematch" })}>
              <Icon name="again" /> {offered("rematch") ? "Rematch offered" : "Rematch"}
            </Button>
          )
        )}
        {afterwards}
        <a class="button" href="/">
          New game
        </a>
      </div>
    );
  }
  if (asking) {
    return (
      <div key="asking" class="actions" role="group" aria-label="Resign the game?">
        <button type="button" class="button danger" onClick={() => send({ type: "resign" })}>
          Yes, resign
        </button>
        <button ref={harmless} type="button" class="button" onClick={() => ask(false)}>
          Play on
        </button>
      </div>
    );
  }
  const between = state.players.every((player) => player.kind === "person");
  return (
    <div key="playing" class="actions">
      <Offers state={state} ready={ready} send={send} />
      {state.stalled && <p class="quiet-note">{stalledWords(state)}</p>}
      {state.stalled && action("Wait longer", "clock", { type: "wait" })}
      {state.stalled && action("End without a result", "cross", { type: "end" })}
      {browserBot.trouble && (
        <p class="quiet-note" role="status">
          {browserBot.trouble}
        </p>
      )}
      {browserBot.trouble && (
        <Button onClick={browserBot.again}>
          <Icon name="again" /> Try again
        </Button>
      )}
      {browserBot.trouble && state.toPlay !== state.you && action("End without a result", "cross", { type: "end" })}
      {state.claimIn !== null && <p class="quiet-note">{claimWords(state)}</p>}
      {state.claimIn === 0 && action("Claim the win", "flag", { type: "claim", what: "win" })}
      {state.claimIn === 0 && action("Claim a draw", "half", { type: "claim", what: "draw" })}
      {state.canUndo || !state.canTakeback
        ? action("Undo", "undo", { type: "undo" }, !state.canUndo)
        : action("Take back", "undo", { type: "offer", what: "takeback" }, offered("takeback"))}
      {between && action("Offer draw", "half", { type: "offer", what: "draw" }, offered("draw"))}
      {state.clock && !isOverDays(state.clock) && between && action(`${GIVEN_S} s`, "plus", { type: "give-time", seconds: GIVEN_S }, false, "Give your opponent more time")}
      {state.canAbort ? (
        action("Abort", "cross", { type: "abort" })
      ) : (
        <Button ref={button} disabled={!ready} onClick={() => ask(true)}>
          <Icon name="flag" /> Resign
        </Button>
      )}
    </div>
  );
}
