// The hook for clicking through a line of best play: it shows the line's positions in place of the game's.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Board, Replay } from "../api.gen.ts";
import { study } from "../api.ts";
import type { Past } from "../game/use-past.ts";
import { asError } from "../notice.ts";
import type { OnNotice } from "../notice.ts";
import { usePace } from "../paced.ts";

interface Shown {
  /** The number of moves of the game before the line. */
  after: number;
  moves: string[];
  /** The number of the line's moves on the board; at least 1. */
  at: number;
}

export interface Lined {
  /** What the table shows: the game, or the line. */
  past: Past;
  /** The line on the board; null: the game. */
  line: Shown | null;
  /** Show the position after `at` moves of a line that begins after `after` moves of the game. */
  show: (after: number, moves: string[], at: number) => void;
  leave: () => void;
}

export function useLine(game: Replay, past: Past | null, onNotice: OnNotice): Lined | null {
  const [line, setLine] = useState<Shown | null>(null);
  const [known, setKnown] = useState<Map<string, Board>>(new Map());
  const last = useRef<Board | null>(null); // what is on the board until the position arrives
  const pace = usePace();
  const played = (one: Shown, at: number) => [...game.moves.slice(0, one.after).map((move) => move.text), ...one.moves.slice(0, at)];
  const key = line ? played(line, line.at).join(" ") : "";
  useEffect(() => {
    if (!line || known.has(key)) return;
    pace.run(() => {
      study({ spec: game.game.spec, setup: game.setup, moves: played(line, line.at) }).then(
        ({ board }) => setKnown((old) => new Map(old).set(key, board)),
        (error: unknown) => {
          onNotice(asError(error));
          setLine(null);
        },
      );
    });
  }, [key]);
  if (!past) return null;
  const leave = () => setLine(null);
  const show = (after: number, moves: string[], at: number) => {
    past.go(after === 0 ? 0 : (game.moves[after - 1]?.ply ?? 0)); // where the line begins, for the way back
    setLine({ after, moves, at: Math.max(1, Math.min(moves.length, at)) });
  };
  const board = line ? (known.get(key) ?? null) : null;
  if (!line || board) last.current = board ?? past.position.board;
  if (!line) return { past, line, show, leave };
  const step: Past["step"] = (by) => {
    if (by === "start" || (by === "back" && line.at === 1)) leave();
    else setLine({ ...line, at: by === "end" ? line.moves.length : Math.min(line.moves.length, line.at + (by === "back" ? -1 : 1)) });
  };
  const go = (ply: number) => {
    leave();
    past.go(ply);
  };
  const before = line.at === 1 ? past.position.board : (known.get(played(line, line.at - 1).join(" ")) ?? null);
  const position = { board: last.current ?? past.position.board, evaluation: null };
  return { past: { ...past, position, arrived: board !== null, back: true, before, go, step }, line, show, leave };
}
