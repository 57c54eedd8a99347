// One player's strip beside the board: name, turn, captured pieces, result.
import type { ComponentChildren } from "preact";
import type { Board, GameState } from "../api.gen.ts";
import { Avatar } from "../avatar.tsx";
import { Chip } from "../board/chip.tsx";
import { colourOf } from "../board/colours.ts";
import { PieceShape } from "../board/pieces.tsx";
import { Clipped } from "../clipped.tsx";
import { isOverDays } from "./clock-face.ts";
import { playerOf } from "./words.ts";

interface PlayerProps {
  state: GameState;
  board: Board;
  player: number;
  place: "top" | "bottom";
  children?: ComponentChildren;
}

export function PlayerStrip({ state, board, player, place, children }: PlayerProps) {
  const { name, kind, connected, appearance, strength, strengthSource } = playerOf(state, player);
  const turn = state.status === "playing" && state.toPlay === player;
  const won = state.result?.winner === player;
  return (
    <div class={`player ${place} ${turn ? "turn" : ""} ${won ? "won" : ""}`}>
      <Chip owner={colourOf(board, player)} />
      {kind === "bot" && <Avatar name={name} appearance={appearance} />}
      <span class="who">
        <Clipped class="name">{name}</Clipped>
        {state.you === player && <span class="tag">you</span>}
        {state.rated && place === "top" && <span class="tag">rated</span>}
        {kind === "bot" && <span class="tag">bot</span>}
        {strength && (
          <span class="strength-told" title={strengthSource}>
            {strength}
          </span>
        )}
        {state.status === "playing" && !connected && !(state.clock && isOverDays(state.clock)) && <span class="tag away">away</span>}
        {won && <span class="tag win">won</span>}
        {turn && state.thinking && (
          <span class="thinking" role="img" aria-label="thinking">
            <i />
            <i />
            <i />
          </span>
        )}
        <Captured board={board} player={player} />
      </span>
      {children}
    </div>
  );
}

const SHOWN = 3; // pieces of one shape; above this, one piece and a count are shown

export function Captured({ board, player }: { board: Board; player: number }) {
  const taken = board.captured.filter((one) => one.by === player);
  if (!taken.length) return null;
  const words = taken.map(({ shape, count }) => `${count} ${shape}${count === 1 ? "" : "s"}`).join(", ");
  return (
    <span class="captured" role="img" aria-label={`Captured: ${words}`} title={words}>
      {taken.map(({ shape, owner, count }) => (
        <span key={shape}>
          {Array.from({ length: count > SHOWN ? 1 : count }, (_, index) => (
            <svg key={index} class="board" viewBox="-50 -50 100 100" aria-hidden="true">
              <PieceShape shape={shape} owner={owner} />
            </svg>
          ))}
          {count > SHOWN && <small>×{count}</small>}
        </span>
      ))}
    </span>
  );
}
