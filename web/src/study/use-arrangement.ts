// The hook of the position editor: holds the edited position and has the site check it.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Kit, StudyView } from "../api.gen.ts";
import { arrange, kit as fetchKit } from "../api.ts";
import { readText } from "../people.ts";
import type { Placed } from "./arrangement.ts";
import { isGame, setupFrom } from "./positions.ts";
import type { Root } from "./use-study.ts";

/** The edited position. */
export interface Made extends Placed {
  spec: string;
  /** The initial position. */
  setup: Root["setup"];
  kit: Kit;
  toPlay: 0 | 1;
  on: string[];
}

export interface Making {
  made: Made | null;
  /** The last position that the site has accepted; older than the board while a check is pending. */
  view: StudyView | null;
  /** Whether `view` is the position on the board and no other position is being fetched. */
  fresh: boolean;
  /** The spec of the position being fetched; null if none is. */
  awaited: string | null;
  /** Why the site rejects the position; empty if it does not. */
  fault: string;
  change: (part: Partial<Made>) => void;
  /** Start over from another position; `setup` null is the usual start. */
  begin: (spec: string, setup: Root["setup"], actions?: number[]) => void;
  /** Load a position from text; a whole game is passed to `onGame`. */
  read: (text: string) => void;
}

/** A recorded game, as the site's answer to its text. */
export type ReadGame = Awaited<ReturnType<typeof readText>>;

const PAUSE_MS = 150; // one check for several quick clicks

export function useArrangement(first: { spec: string; setup: Root["setup"]; actions: number[] }, onGame: (game: ReadGame) => void): Making {
  const [made, setMade] = useState<Made | null>(null);
  const [answer, setAnswer] = useState<{ of: Made | null; view: StudyView | null; fault: string }>({ of: null, view: null, fault: "" });
  const [awaited, setAwaited] = useState<string | null>(first.spec);
  const newest = useRef(0);
  /** Handle an answer unless a newer request was made or the component is unmounted. */
  const expect = <Answer,>(spec: string, answer: Promise<Answer>, take: (found: Answer) => void) => {
    const number = ++newest.current;
    const arrived = () => {
      if (number !== newest.current) return false;
      setAwaited(null);
      return true;
    };
    setAwaited(spec);
    answer.then(
      (found) => arrived() && take(found),
      // on an error, the board and the typed text stay, so that the text can be corrected
      (error: Error) => arrived() && setAnswer((old) => ({ ...old, fault: error.message })),
    );
  };
  const begin = (spec: string, setup: Root["setup"], actions: number[] = []) =>
    expect(spec, fetchKit({ spec, setup, actions }), (kit) => {
      const { pieces, edges } = kit.board;
      setMade({ spec, setup, kit, pieces, edges, toPlay: kit.toPlay === 1 ? 1 : 0, on: kit.on });
    });
  useEffect(() => begin(first.spec, first.setup, first.actions), []);
  useLayoutEffect(
    () => () => {
      newest.current += 1;
    },
    [],
  );
  useEffect(() => {
    if (!made) return;
    const { spec, setup, kit, pieces, edges, toPlay, on } = made;
    if (!kit.kinds.length) {
      setAnswer({ of: made, view: null, fault: "" });
      return;
    }
    let gone = false;
    const ask = () =>
      arrange({
        spec,
        setup,
        pieces: pieces.map(({ at, shape, owner }) => ({ at, shape, owner: side(owner) })),
        edges: edges.map((edge) => ({ at: edge.at, side: edge.side === "right" ? "right" : "top", owner: side(edge.owner) })),
        toPlay,
        switches: on,
      }).then(
        (view) => !gone && setAnswer({ of: made, view, fault: "" }),
        (error: Error) => !gone && setAnswer({ of: made, view: null, fault: error.message }),
      );
    const timer = setTimeout(() => void ask(), PAUSE_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [made]);
  return {
    made,
    view: answer.view,
    fresh: answer.of === made && awaited === null,
    awaited,
    fault: answer.fault,
    change: (part) => setMade((old) => (awaited === null && old ? { ...old, ...part } : old)),
    begin,
    read: (text) => {
      if (!made) return;
      if (isGame(text)) expect(made.spec, readText(text), onGame);
      else begin(made.spec, setupFrom(text.trim() || null));
    },
  };
}

function side(owner: number | null): 0 | 1 | null {
  return owner === 0 || owner === 1 ? owner : null;
}
