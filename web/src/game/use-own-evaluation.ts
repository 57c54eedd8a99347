// Evaluates a game on this device, as `use-evaluation.ts` has the site do it; never while two people play.
import { useEffect, useRef, useState } from "preact/hooks";
import type { GameState } from "../api.gen.ts";
import type { Follower } from "../device/follow.ts";
import type { Evaluating } from "./use-evaluation.ts";

const NOTHING: Evaluating = { entries: new Map(), words: "" };
const LATE = "The engine could not be loaded. Check the connection, and load the page again.";

/** Whether this device may evaluate a game: one that is over, or a game with a bot that is not rated; the site counts who evaluates others. */
export function mayEvaluateHere({ status, rated, players, mayEvaluate }: Pick<GameState, "status" | "rated" | "players" | "mayEvaluate">): boolean {
  return mayEvaluate && (status === "over" || (status === "playing" && !rated && players.some((player) => player.kind === "bot")));
}

/** Evaluate the positions of a game while `on`; `ply` is that of the position on the board. */
export function useOwnEvaluation(state: GameState | null, ply: number, on: boolean): Evaluating {
  const [found, setFound] = useState(NOTHING);
  const follower = useRef<Follower | null>(null);
  const latest = useRef<() => void>(() => {});
  latest.current = () => {
    if (!state) return;
    const moves = state.staged ? state.moves.slice(0, -1) : state.moves; // an unfinished move has no evaluation
    const ends = [0, ...moves.map((move) => move.ply)];
    const at = ends.findLastIndex((end) => end <= ply);
    follower.current?.look({ line: { spec: state.spec, setup: state.setup, moves: moves.map((move) => move.text) }, ends, at });
  };
  const id = state?.id;
  useEffect(() => {
    if (!on) return;
    let gone = false;
    setFound(NOTHING);
    import("../device/follow.ts").then(
      ({ follow }) => {
        if (gone) return;
        follower.current = follow((entries, words) => setFound({ entries, words }));
        latest.current();
      },
      () => !gone && setFound({ ...NOTHING, words: LATE }),
    );
    return () => {
      gone = true;
      follower.current?.stop();
      follower.current = null;
    };
  }, [on, id]);
  useEffect(() => latest.current(), [state?.moves, state?.staged, ply]);
  return on ? found : NOTHING;
}
