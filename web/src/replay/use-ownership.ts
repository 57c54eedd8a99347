// Whose each cell of a finished game will be, as a bot expects it at the shown position; many games have no such thing.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Replay } from "../api.gen.ts";
import { evaluateLine } from "../api.ts";

const PAUSE_MS = 300; // whoever walks through a game passes many positions

/** By rows; undefined where nobody says. */
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
          else silent.current ||= ply < game.plies; // nobody judges the end of a game
        },
        () => (silent.current = true), // the bar says what is wrong
      );
    const timer = setTimeout(() => void ask(), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [game, ply, on, known]);
  return on ? known.get(ply) : undefined;
}
