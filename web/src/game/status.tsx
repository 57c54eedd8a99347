// The status line: whose turn it is, that an earlier position is shown, or the result.
import type { Choice, GameState } from "../api.gen.ts";
import { ActionButtons } from "./buttons.tsx";
import { endingLine, howTo, loadedWords, playerOf, resultLine, statusLine } from "./words.ts";

/** Bytes of the opponent's engine. */
export interface Preparing {
  loaded: number;
  total: number;
}

interface StatusProps {
  state: GameState;
  /** Whether an earlier position is on the board. */
  back: boolean;
  premoves: number;
  /** How far the opponent's engine is loaded; null while none is loading. */
  preparing: Preparing | null;
  /** Actions without a location on the board. */
  buttons: Choice[];
  /** Ask for confirmation before each of them. */
  confirm: boolean;
  onAct: (action: number) => void;
  onNow: () => void;
  onClear: () => void;
}

export function StatusBox({ state, back, premoves, preparing, buttons, confirm, onAct, onNow, onClear }: StatusProps) {
  if (back) {
    return (
      <div class="status past">
        <span role="status">An earlier position.</span>
        <button key="now" type="button" class="button small" onClick={onNow}>
          {state.result ? "Go to the end" : "Back to the game"}
        </button>
      </div>
    );
  }
  if (state.result) {
    const { winner } = state.result;
    const mood = state.you === null || winner === null ? "" : winner === state.you ? "victory" : "defeat";
    return (
      <div class={`status result ${mood}`} role="status">
        <strong>{resultLine(state)}</strong>
        <span>{endingLine(state)}</span>
      </div>
    );
  }
  if (preparing && state.you !== state.toPlay) {
    const { name } = playerOf(state, state.toPlay);
    return (
      <div class="status">
        <span role="status">Preparing {name}…</span>
        <small>
          <progress aria-label={`Preparing ${name}`} value={preparing.loaded} max={preparing.total} /> {loadedWords(preparing)}
        </small>
      </div>
    );
  }
  const tip = howTo(state);
  return (
    <div class={`status ${state.you === state.toPlay ? "yours" : ""}`}>
      <span role="status">
        {state.board.stage && <strong class="stage">{state.board.stage}</strong>} {statusLine(state)}
        {tip && (
          <small>
            {tip}{" "}
            <a href={`/learn/${encodeURIComponent(state.game)}`} target="_blank">
              Read the rules
            </a>
          </small>
        )}
      </span>
      {premoves > 0 && (
        <button key="clear" type="button" class="button small" onClick={onClear} title="Or press Escape or the right mouse button">
          Cancel {premoves === 1 ? "the premove" : `${premoves} premoves`}
        </button>
      )}
      <ActionButtons choices={buttons} confirm={confirm} ply={state.ply} onAct={onAct} />
    </div>
  );
}
