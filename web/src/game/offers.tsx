// Offers that wait for an answer: the other side's with two buttons, one's own with a way back.
import type { GameState } from "../api.gen.ts";
import type { ToSite, What } from "../api.ts";
import { Button } from "../button.tsx";
import { playerOf } from "./words.ts";

interface OffersProps {
  state: GameState;
  ready: boolean;
  send: (message: ToSite) => void;
}

const THEIRS: Record<What, string> = {
  draw: "offers a draw",
  takeback: "would like to take back a move",
  rematch: "would like another game",
};
const OWN: Record<What, string> = {
  draw: "You have offered a draw.",
  takeback: "You have asked to take back a move.",
  rematch: "You have asked for another game.",
};

export function Offers({ state, ready, send }: OffersProps) {
  return (
    <>
      {state.offers.map(({ what, by }) => {
        const own = by === state.you;
        return (
          <div key={`${what}-${by}`} class="offer" role="status">
            <span>{own ? OWN[what] : `${playerOf(state, by).name} ${THEIRS[what]}.`}</span>
            {!own && (
              <Button class="button small primary" disabled={!ready} onClick={() => send({ type: "accept", what })}>
                Accept
              </Button>
            )}
            <Button class="button small" disabled={!ready} onClick={() => send({ type: "decline", what })}>
              {own ? "Withdraw" : "Decline"}
            </Button>
          </div>
        );
      })}
    </>
  );
}
