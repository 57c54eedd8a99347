// The waiting room of a game without a second player: a link to send for the host, a seat to take for visitors.
import { useRef, useState } from "preact/hooks";
import type { GameState } from "../api.gen.ts";
import { joinGame, keepSeat } from "../api.ts";
import { Chip } from "../board/chip.tsx";
import { colourOf, sidesOf } from "../board/colours.ts";
import { BoardPicture } from "../board/drawing.tsx";
import { Button } from "../button.tsx";
import { nameOfPerson, usePerson } from "../identity.ts";
import { asError } from "../notice.ts";
import type { OnNotice } from "../notice.ts";
import { AddressField, CopyLink } from "./share.tsx";
import { clockWords, playerOf, seatWords, termsLine } from "./words.ts";

interface WaitingProps {
  state: GameState;
  /** The players' ratings, by side. */
  ratings: [number | null, number | null];
  /** Why the connection is down; empty while it is open. */
  trouble: string;
  onNotice: OnNotice;
  onJoined: () => void;
  onAbort: () => void;
}

export function WaitingRoom({ state, ratings, trouble, onNotice, onJoined, onAbort }: WaitingProps) {
  const [joining, setJoining] = useState(false);
  const person = usePerson();
  const field = useRef<HTMLInputElement>(null);
  const link = location.origin + location.pathname;
  const host = state.players.find((player) => player.kind !== "open");
  const rating = ratings[state.players[0] === host ? 0 : 1];
  const open = state.players[0].kind === "open" ? 0 : 1;
  const join = async () => {
    setJoining(true);
    try {
      const seat = await joinGame(state.id, await nameOfPerson());
      if (seat) keepSeat(seat);
      else onNotice("This seat has been taken. You can watch.");
      onJoined();
    } catch (error) {
      onNotice(asError(error));
      setJoining(false); // not after success: a second request before the game opens would be told that the seat is taken
    }
  };
  return (
    <main class={`page narrow waiting ${state.board.style}`} style={sidesOf(state.board)}>
      <section class="panel">
        <span class="picture" aria-hidden="true">
          <BoardPicture board={state.board} label="" />
        </span>
        <h1>{state.title}</h1>
        {trouble && (
          <p class="line-lost" role="status">
            {trouble}
          </p>
        )}
        <p class="terms">{termsLine(state, clockWords(state))}</p>
        {state.you === null ? (
          <>
            <p>
              {host?.name ?? "Somebody"}
              {rating !== null && ` (${rating})`} is waiting for an opponent. You play{" "}
              <Chip owner={colourOf(state.board, open)} /> {seatWords(state, open)}.
            </p>
            {state.withEvaluation && <p>If you take the seat, both of you see win chances during the game, and nobody sees best moves.</p>}
            {state.rated && person && !person.account ? (
              <>
                <p>This game is rated, so both players need an account. Log in or create an account, then come back here.</p>
                <a class="button primary large" href="/settings">
                  Log in
                </a>
              </>
            ) : (
              <Button class="button primary large" disabled={joining} onClick={join}>
                Take the seat
              </Button>
            )}
          </>
        ) : (
          <>
            <p role="status">
              <span class="spinner" /> {state.kind === "friend" ? "Waiting for your friend. Send this link:" : "Waiting for an opponent. The seat is listed in the lobby. You can also send this link:"}
            </p>
            <p class="link">
              <AddressField field={field} address={link} label="Link to this game" />
              <CopyLink link={() => link} text="Copy" title="Copy the link" field={field} onNotice={onNotice} />
            </p>
            <p>
              You play <Chip owner={colourOf(state.board, state.you)} /> {seatWords(state, state.you)}, as {playerOf(state, state.you).name}.
            </p>
            <button type="button" class="button" onClick={onAbort}>
              Cancel the game
            </button>
          </>
        )}
      </section>
    </main>
  );
}
