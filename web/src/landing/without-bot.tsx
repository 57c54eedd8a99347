// What one can do on a board that no bot plays: a friend, an open seat, the analysis board, or another board.
import type { CatalogueGame } from "../api.gen.ts";
import { Icon } from "../icons.tsx";

interface WithoutBotProps {
  chosen: CatalogueGame;
  /** The nearest board of the game that a bot plays; null if there is none. */
  instead: CatalogueGame | null;
  /** What that board is called. */
  insteadWords: string;
  onFriend: () => void;
  onAnyone: () => void;
  onInstead: () => void;
}

export function WithoutBot({ chosen, instead, insteadWords, onFriend, onAnyone, onInstead }: WithoutBotProps) {
  return (
    <div class="without-bot" role="group" aria-label="Without a bot">
      <p>No bot plays this board now. You can:</p>
      <button type="button" class="button" onClick={onFriend}>
        <Icon name="link" /> Invite a friend with a link
      </button>
      <button type="button" class="button" onClick={onAnyone}>
        <Icon name="person" /> Offer a seat to anyone
      </button>
      <a class="button" href={`/study?spec=${encodeURIComponent(chosen.spec)}`}>
        <Icon name="branch" /> Try it on the analysis board
      </a>
      {instead && (
        <button type="button" class="button" onClick={onInstead}>
          <Icon name="again" /> Play a bot: {insteadWords}
        </button>
      )}
    </div>
  );
}
