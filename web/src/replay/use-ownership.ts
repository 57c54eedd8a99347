// The hook for a bot's ownership forecast at the shown position of a finished game, in games that have one.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Replay } from "../api.gen.ts";
import { evaluateLine } from "../api.ts";

const PAUSE_MS = 300; // no requests for positions that are only passed

/** Return the forecast by rows; undefined if there is none. */
export function useOwnership(game: Replay, ply: number, on: boolean): number[][] | undefined {
  const [known, setKnown] = useState<Map<number, number[][]>>(new Map());
  const silent = useRef(false);
  useEffect(() => {
    const moves = game.moves.filter((move) => move.ply <= ply);
    const between = ply === 0 || moves[moves.length - 1]?.ply === ply;
    if (!on || silent.current || known.has(ply) || !between) return;
    const ask = () =>
      evaluateLine({ spec: game.game.spec, setup: game.setup, moves: moves.map((move) => move.text) }).then(
        ({ ownership }) => {
          if (ownership.length) setKnown((old) => new Map(old).set(ply, ownership));
          else silent.current ||= ply < game.plies; // the last position never has a forecast
        },
        () => (silent.current = true), // the evaluation bar shows the error
      );
    const timer = setTimeout(() => void ask(), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [game, ply, on, known]);
  return on ? known.get(ply) : undefined;
}
