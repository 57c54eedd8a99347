// The start position that the analysis board passes to a new game.
import { useEffect, useState } from "preact/hooks";
import { useAnswer } from "../answer.ts";
import type { StudyView } from "../api.gen.ts";
import { study } from "../api.ts";
import { BoardPicture } from "../board/drawing.tsx";
import type { OnNotice } from "../notice.ts";
import { setupFrom } from "../study/positions.ts";

/** The game and position in the address, with the site's view of them. */
export interface Start {
  spec: string;
  setup: StudyView["setup"];
  view: StudyView;
}

/** Read the position from `/?spec=GAME&setup=SETUP`; null if the address has none. */
function fromAddress(): Omit<Start, "view"> | null {
  const query = new URLSearchParams(location.search);
  const [spec, text] = [query.get("spec"), query.get("setup")];
  return spec && text ? { spec, setup: setupFrom(text) } : null;
}

/** The position in the address, null without one and until the site has answered; and a function that forgets it. */
export function useStart(onNotice: OnNotice): [Start | null, () => void] {
  const [asked, setAsked] = useState(fromAddress);
  const { found: view, error } = useAnswer(() => asked && study(asked), [asked]);
  useEffect(() => {
    if (asked && error) onNotice(error);
  }, [error]);
  const forget = () => {
    history.replaceState(null, "", "/");
    setAsked(null);
  };
  return [asked && view && { ...asked, view }, forget];
}

export function FromPosition({ from, onForget }: { from: Start; onForget: () => void }) {
  const { board, players, toPlay } = from.view;
  return (
    <div class="from-position">
      <BoardPicture board={{ ...board, choices: [], marks: [] }} label="The start position" />
      <div>
        <strong>From your position</strong>
        <p class="quiet-note">{players[toPlay === 1 ? 1 : 0]} to move</p>
        <button type="button" class="button small" onClick={onForget}>
          Use the usual start
        </button>
      </div>
    </div>
  );
}
