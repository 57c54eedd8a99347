// The hook for the displayed position: the latest one, or an earlier one fetched from the site.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Board, GameState, PlyView } from "../api.gen.ts";
import { asError } from "../notice.ts";
import type { OnNotice } from "../notice.ts";
import { usePace } from "../paced.ts";
import type { Way } from "./steps.tsx";
import { beforeLatestMove, stops } from "./words.ts";

export interface Past {
  /** The ply on the board. */
  ply: number;
  /** The position at that ply; while it is fetched, the one shown before. */
  position: PlyView;
  /** Whether `position` is the position at `ply`. */
  arrived: boolean;
  /** Whether the board shows an earlier position. */
  back: boolean;
  /** The board before the latest move of the shown position. */
  before: Board | null;
  go: (ply: number) => void;
  step: (by: Way) => void;
}

/** Track the displayed position; `fetchPly` fetches the position at a ply, `first` is the initial ply (null: the latest). */
export function usePast(
  id: string,
  state: GameState | null,
  fetchPly: (ply: number) => Promise<PlyView>,
  onNotice: OnNotice,
  first: number | null = null,
  firstPosition: PlyView | null = null,
): Past | null {
  const [wanted, setWanted] = useState<number | null>(first);
  const [known, setKnown] = useState<Map<string, PlyView>>(new Map());
  const lived = useRef(new Map<string, Board>()); // earlier latest boards, to find the walls that a move added
  const asked = useRef(new Set<string>());
  const shown = useRef(firstPosition && { wanted: first, position: firstPosition }); // the last fetched position
  const looking = useRef(wanted);
  looking.current = wanted;
  const pace = usePace();
  const ply = wanted ?? state?.ply ?? 0;

  // after a takeback, the same ply can hold another position: the moves up to it are part of the key
  const key = (at: number) =>
    `${id} ${at} ${state?.moves.filter((move) => move.ply <= at).map((move) => move.text).join(" ") ?? ""}`;
  const need = (at: number) => {
    const name = key(at);
    if (asked.current.has(name)) return;
    asked.current.add(name);
    fetchPly(at)
      .then((position) => setKnown((old) => new Map(old).set(name, position)))
      .catch((error: unknown) => {
        asked.current.delete(name);
        if (looking.current !== at) return; // the person has moved on to another position
        onNotice(asError(error));
        setWanted((now) => (now === at ? (shown.current?.wanted ?? null) : now)); // keep board and move list consistent
      });
  };

  const before = state ? beforeLatestMove(state, ply) : 0;
  const hasWalls = !!state && state.board.edges.length > 0;
  useEffect(() => setWanted(first), [id]);
  useLayoutEffect(
    () => () => {
      looking.current = null;
    },
    [],
  );
  useEffect(() => {
    if (!state) return;
    if (hasWalls) lived.current.set(key(state.ply), { ...state.board, choices: [] });
    const isLatest = wanted !== null && wanted >= state.ply;
    if (isLatest) setWanted(null);
    // fetch only the position where a held key stops
    pace.run(() => {
      if (wanted !== null && !isLatest) need(wanted);
      if (hasWalls && ply > 0 && !lived.current.has(key(before))) need(before);
    });
  }, [state, wanted]);

  if (!state) return null;
  const go = (to: number) => {
    const at = Math.max(0, Math.min(state.ply, to));
    setWanted(at === state.ply ? null : at);
  };
  const step = (by: Way) => {
    const plies = stops(state);
    if (by === "start") go(0);
    else if (by === "end") go(state.ply);
    else if (by === "back") go(plies.filter((stop) => stop < ply).pop() ?? 0);
    else go(plies.find((stop) => stop > ply) ?? state.ply);
  };
  const live: PlyView = { board: state.board, evaluation: null };
  const found = wanted === null ? live : known.get(key(wanted));
  if (found) shown.current = { wanted, position: found };
  const position = shown.current?.position ?? live;
  const boardBefore = known.get(key(before))?.board ?? lived.current.get(key(before)) ?? null;
  return { ply, back: wanted !== null, position, arrived: !!found, before: boardBefore, go, step };
}
