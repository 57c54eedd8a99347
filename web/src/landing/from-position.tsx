// The start position that the analysis board passes to a new game.
import { useEffect, useRef, useState } from "preact/hooks";
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

/** Read the position from `/?spec=chess&setup=FEN`; null if the address has none. */
export function useStart(onNotice: OnNotice): [Start | null, () => void] {
  const [start, setStart] = useState<Start | null>(null);
  const forgotten = useRef(false);
  useEffect(() => {
    const query = new URLSearchParams(location.search);
    const [spec, text] = [query.get("spec"), query.get("setup")];
    if (!spec || !text) return;
    const setup = setupFrom(text);
    study({ spec, setup }).then(
      (view) => forgotten.current || setStart({ spec, setup, view }),
      (error: Error) => forgotten.current || onNotice(error),
    );
    return () => {
      forgotten.current = true;
    };
  }, []);
  const forget = () => {
    forgotten.current = true;
    history.replaceState(null, "", "/");
    setStart(null);
  };
  return [start, forget];
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
