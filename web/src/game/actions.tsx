// What a player may do besides moving: take back, resign, play again.
import { useEffect, useState } from "preact/hooks";
import type { GameState } from "../api.gen.ts";
import type { ToSite } from "../api.ts";
import { Icon } from "../icons.tsx";

interface ActionsProps {
  state: GameState;
  /** Whether the line is open. */
  ready: boolean;
  send: (message: ToSite) => void;
}

export function Actions({ state, ready, send }: ActionsProps) {
  const [asking, setAsking] = useState(false);
  useEffect(() => setAsking(false), [state.status, state.ply]);

  if (state.you === null) {
    return (
      <div class="actions">
        <p class="quiet-note">You are watching.</p>
        <a class="button" href="/">
          Play yourself
        </a>
      </div>
    );
  }
  if (state.status === "over") {
    return (
      <div class="actions">
        <button type="button" class="button primary" disabled={!ready} onClick={() => send({ type: "rematch" })}>
          <Icon name="again" /> Rematch
        </button>
        <a class="button" href="/">
          New game
        </a>
      </div>
    );
  }
  if (asking) {
    return (
      <div class="actions" role="group" aria-label="Resign the game?">
        <button type="button" class="button danger" onClick={() => send({ type: "resign" })}>
          Yes, resign
        </button>
        <button type="button" class="button" autoFocus onClick={() => setAsking(false)}>
          Play on
        </button>
      </div>
    );
  }
  return (
    <div class="actions">
      <button type="button" class="button" disabled={!ready || !state.canUndo} onClick={() => send({ type: "undo" })}>
        <Icon name="undo" /> Undo
      </button>
      <button type="button" class="button" disabled={!ready} onClick={() => setAsking(true)}>
        <Icon name="flag" /> Resign
      </button>
    </div>
  );
}
