// The open offers: the opponent's with buttons to accept and decline, one's own with a button to withdraw.
import type { GameState, ToSite } from "../api.gen.ts";
import { Button } from "../button.tsx";
import { offerWords } from "./words.ts";

interface OffersProps {
  state: GameState;
  ready: boolean;
  send: (message: ToSite) => void;
}

export function Offers({ state, ready, send }: OffersProps) {
  return (
    <>
      {state.offers.map((offer) => {
        const { what, by } = offer;
        const own = by === state.you;
        return (
          <div key={`${what}-${by}`} class="offer">
            <span>{offerWords(state, offer)}</span>
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
