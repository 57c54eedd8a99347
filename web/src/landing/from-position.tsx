// The position that a new game begins with, when somebody comes from the analysis board.
import { useEffect, useRef, useState } from "preact/hooks";
import type { StudyView } from "../api.gen.ts";
import { study } from "../api.ts";
import { BoardPicture } from "../board/drawing.tsx";
import type { OnNotice } from "../notice.ts";
import { setupFrom } from "../study/positions.ts";

/** What is in the address, and the position that it means. */
export interface Start {
  spec: string;
  setup: StudyView["setup"];
  view: StudyView;
}

/** `/?spec=chess&setup=FEN`; null if the address has none. */
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
      <BoardPicture board={{ ...board, choices: [], marks: [] }} label="The position that the game begins with" />
      <div>
        <strong>From your position</strong>
        <p class="quiet-note">{players[toPlay === 1 ? 1 : 0]} to move</p>
        <button type="button" class="button small" onClick={onForget}>
          The usual start
        </button>
      </div>
    </div>
  );
}
