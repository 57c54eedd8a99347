// What is being put together, and what the site's rules say of it.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Kit, StudyView } from "../api.gen.ts";
import { arrange, kit as fetchKit } from "../api.ts";
import { readText, shared } from "../people.ts";
import type { Placed } from "./arrangement.ts";
import { isGame, setupFrom } from "./positions.ts";
import type { Root } from "./use-study.ts";

/** A position in the making. */
export interface Made extends Placed {
  spec: string;
  /** What it began as. */
  setup: Root["setup"];
  kit: Kit;
  toPlay: 0 | 1;
  on: string[];
}

export interface Making {
  made: Made | null;
  /** The position, if a game can come to it; a moment old while the site looks at a newer one. */
  view: StudyView | null;
  /** Whether it is the one on the board, and none was asked for in place of that. */
  fresh: boolean;
  /** The game of the position that was asked for; null once it is there. */
  awaited: string | null;
  /** Why none can. */
  fault: string;
  change: (part: Partial<Made>) => void;
  /** Begin with another position: null is the usual start. */
  begin: (spec: string, setup: Root["setup"], actions?: number[]) => void;
  /** A position as text; or a whole game, which goes to `onGame`. */
  read: (text: string) => void;
}

const PAUSE_MS = 150; // a hand puts pieces quickly

export function useArrangement(first: { spec: string; setup: Root["setup"]; actions: number[] }, onGame: (root: Root) => void): Making {
  const [made, setMade] = useState<Made | null>(null);
  const [answer, setAnswer] = useState<{ of: Made | null; view: StudyView | null; fault: string }>({ of: null, view: null, fault: "" });
  const [awaited, setAwaited] = useState<string | null>(first.spec);
  const newest = useRef(0);
  /** Take an answer, unless something else was asked for meanwhile, or nobody is here any more. */
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
      // the board stays, and with it the text that somebody typed, to be mended
      (error: Error) => arrived() && setAnswer((old) => ({ ...old, fault: error.message })),
    );
  };
  const begin = (spec: string, setup: Root["setup"], actions: number[] = []) =>
    expect(spec, fetchKit({ spec, setup, actions }), (kit) => {
      const { pieces, edges } = kit.board;
      setMade({ spec, setup, kit, pieces, edges, toPlay: kit.toPlay === 1 ? 1 : 0, on: kit.on });
    });
  useEffect(() => {
    begin(first.spec, first.setup, first.actions);
    return () => {
      newest.current += 1;
    };
  }, []);
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
      if (isGame(text)) expect(made.spec, gameFrom(text), onGame);
      else begin(made.spec, setupFrom(text.trim() || null));
    },
  };
}

/** The line of a recorded game. */
async function gameFrom(text: string): Promise<Root> {
  const { game, setup, moves } = await shared(await readText(text));
  return { spec: game.spec, setup, before: moves.map((move) => move.text) };
}

function side(owner: number | null): 0 | 1 | null {
  return owner === 0 || owner === 1 ? owner : null;
}
