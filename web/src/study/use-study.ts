// The hook for a study: a tree of variations in which one person plays both sides; the site applies the rules.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { MoveInfo, StudyView } from "../api.gen.ts";
import { study } from "../api.ts";
import type { Turn } from "../board/ahead.ts";
import { asError } from "../notice.ts";
import type { OnNotice } from "../notice.ts";
import { usePace } from "../paced.ts";
import { SEED, actionsTo, beside, endFrom, grown, named, promoted, pruned, stepBack, stepOn } from "./tree.ts";
import type { Tree } from "./tree.ts";
import { useForeseen } from "./use-foreseen.ts";

/** The start of a line. */
export interface Root {
  spec: string;
  setup: Record<string, unknown> | string | null;
  /** The moves from `setup` to the start, in notation. */
  before: string[];
  /** A link that contains a recorded game, which replaces all of these. */
  link?: string;
  /** The id of an analysis that this browser keeps, which replaces all of these. */
  saved?: string;
}

export interface Study {
  view: StudyView;
  tree: Tree;
  /** The current place in the tree. */
  at: number;
  busy: boolean;
  /** The turn after the actions that the site has not answered yet; null if there are none, or it is not known. */
  ahead: Turn | null;
  /** These actions. */
  unanswered: readonly number[];
  act: (action: number) => void;
  /** Play a line with known move texts from the current position. */
  playLine: (actions: number[], moves: MoveInfo[]) => void;
  /** Play a line with known move texts from the root. */
  playFromStart: (actions: number[], moves: MoveInfo[]) => void;
  go: (place: number) => void;
  back: () => void;
  forward: () => void;
  start: () => void;
  end: () => void;
  /** Show the next alternative to the current move (1), or the one before (-1); return whether there is one. */
  beside: (by: 1 | -1) => boolean;
  /** Change what is written about the current place. */
  annotate: (change: (tree: Tree, place: number) => Tree) => void;
  /** Make the current line the main line. */
  promote: () => void;
  /** Delete the current move and its continuations. */
  prune: () => void;
  /** Call `act` once the requested position is shown; drop the call if the request fails or another is made. */
  settled: (act: (study: Study) => void) => void;
}

interface Place {
  tree: Tree;
  /** The requested place. */
  at: number;
  /** The place on the board; differs from `at` until the site has answered. */
  shown: number;
}

/**
 * Manage a study; `first` is the root's position, `planted` the initial tree and place. The arguments must not change.
 * With `foresees`, the compiled rules show what follows an action before the site has answered, if they can be loaded.
 */
export function useStudy(root: Root, first: StudyView, onNotice: OnNotice, planted: [Tree, number] = [SEED, 0], foresees = false): Study {
  const [{ tree, at, shown }, setPlace] = useState<Place>({ tree: planted[0], at: planted[1], shown: 0 });
  const [view, setView] = useState(first);
  const [busy, setBusy] = useState(planted[1] > 0);
  const known = useRef(new Map<string, StudyView>([["", first]]));
  const wanted = useRef<string | null>(""); // null after unmounting
  const awaiting = useRef<((study: Study) => void) | null>(null);
  const pace = usePace();
  const [unanswered, setUnanswered] = useState<number[]>([]); // actions after the view that were asked for
  const foreseen = useForeseen(root.spec, view, unanswered, foresees);

  useEffect(() => {
    if (planted[1]) show(actionsTo(...planted), standing(planted[1]));
  }, []);
  useLayoutEffect(
    () => () => {
      wanted.current = null;
    },
    [],
  );

  /** Show the position after `actions`; `settled` computes the place once it is shown. */
  const show = (actions: number[], settled: (old: Place, answer: StudyView) => Place, ask = (call: () => void) => call()) => {
    pace.forget();
    awaiting.current = null;
    setUnanswered([]);
    const key = actions.join(" ");
    wanted.current = key;
    const take = (answer: StudyView) => {
      known.current.set(key, answer);
      foreseen.compare(known.current.get(actions.slice(0, -1).join(" ")), answer);
      if (wanted.current !== key) return;
      setUnanswered([]);
      setView(answer);
      setPlace((old) => settled(old, answer));
    };
    const found = known.current.get(key);
    if (found) {
      setBusy(false);
      take(found);
      return;
    }
    setBusy(true);
    ask(() =>
      study({ spec: root.spec, setup: root.setup, moves: root.before, actions })
        .then(take)
        .catch((error: unknown) => {
          if (wanted.current !== key) return;
          onNotice(asError(error));
          awaiting.current = null;
          setUnanswered([]);
          // return to the position that is still on the board
          setPlace((old) => ({ ...old, at: old.shown }));
        })
        .finally(() => wanted.current === key && setBusy(false)), // after an outdated answer, the requested position is still pending
    );
  };
  const stand = (next: Tree, place: number) => {
    setPlace((old) => ({ ...old, tree: next, at: place }));
    show(actionsTo(next, place), standing(place), pace.run);
  };
  const act = (action: number) => {
    const before = actionsTo(tree, shown);
    const actions = [...(foreseen.turn ? unanswered : []), action];
    // the move's text comes with the position after the action
    show([...before, ...actions], (old, answer) => {
      const ply = first.ply + before.length;
      const [next, place] = grown(old.tree, shown, shifted(named(actions, answer.moves, ply), first.ply));
      return { tree: next, at: place, shown: place };
    });
    if (wanted.current !== null && !known.current.has(wanted.current)) setUnanswered(actions);
  };
  const lineFrom = (place: number, { moves: before, ply }: StudyView) => (actions: number[], moves: MoveInfo[]) => {
    const twigs = shifted(named(actions, [...before, ...moves], ply), first.ply);
    stand(...grown(tree, place, twigs));
  };
  const here: Study = {
    view,
    tree,
    at,
    busy,
    ahead: foreseen.turn,
    unanswered,
    act,
    playLine: lineFrom(at, view),
    playFromStart: lineFrom(0, first),
    go: (place) => stand(tree, place),
    back: () => stand(tree, stepBack(tree, at)),
    forward: () => stand(tree, stepOn(tree, at)),
    start: () => stand(tree, 0),
    end: () => stand(tree, endFrom(tree, at)),
    beside: (by) => {
      const other = beside(tree, at, by);
      if (other !== at) stand(tree, other);
      return other !== at;
    },
    annotate: (change) => setPlace((old) => ({ ...old, tree: change(old.tree, old.at) })),
    promote: () => setPlace((old) => ({ ...old, tree: promoted(old.tree, at) })),
    prune: () => {
      const parent = stepBack(tree, at);
      const child = pathBelow(tree, at, parent);
      // the shown place stays in the tree until the parent is shown
      show(actionsTo(tree, parent), (old) => ({ tree: pruned(old.tree, child), at: parent, shown: parent }));
    },
    settled: (act) => {
      if (busy) awaiting.current = act;
      else act(here);
    },
  };
  useEffect(() => {
    if (busy) return;
    const act = awaiting.current;
    awaiting.current = null;
    act?.(here);
  });
  return here;
}

/** Return an update that makes `place` both the requested and the shown place. */
function standing(place: number): (old: Place) => Place {
  return (old) => ({ ...old, at: place, shown: place });
}

/** Return the child of `parent` on the path to `place`. */
function pathBelow(tree: Tree, place: number, parent: number): number {
  let here = place;
  while (here > 0 && tree[here]?.parent !== parent) here = tree[here]?.parent ?? 0;
  return here;
}

/** Shift plies so that they count from the tree's root. */
function shifted<Twig extends { ply: number; begin: number }>(twigs: Twig[], by: number): Twig[] {
  return twigs.map((twig) => ({ ...twig, ply: twig.ply - by, begin: Math.max(0, twig.begin - by) }));
}
