// A board that belongs to no game: both sides are played by one person, in a tree of lines; the site knows the rules.
import { useEffect, useRef, useState } from "preact/hooks";
import type { MoveInfo, StudyView } from "../api.gen.ts";
import { study } from "../api.ts";
import { asError } from "../notice.ts";
import type { OnNotice } from "../notice.ts";
import { usePace } from "../paced.ts";
import { SEED, actionsTo, endFrom, grown, named, promoted, pruned, stepBack, stepOn } from "./tree.ts";
import type { Tree } from "./tree.ts";

/** Where a line begins. */
export interface Root {
  spec: string;
  setup: Record<string, unknown> | string | null;
  /** Moves in notation that lead to the beginning. */
  before: string[];
}

export interface Study {
  view: StudyView;
  tree: Tree;
  /** The place in the tree that is on the board. */
  at: number;
  busy: boolean;
  act: (action: number) => void;
  /** Play a line whose moves are known. */
  playLine: (actions: number[], moves: MoveInfo[]) => void;
  /** The same from the tree's first place. */
  playFromStart: (actions: number[], moves: MoveInfo[]) => void;
  go: (place: number) => void;
  back: () => void;
  forward: () => void;
  start: () => void;
  end: () => void;
  /** Make the line on the board the main one. */
  promote: () => void;
  /** Take the action on the board back, and forget what was tried after it. */
  prune: () => void;
  /** Do something when the position that was asked for is on the board; not if it does not come, or another is asked for. */
  settled: (act: (study: Study) => void) => void;
}

interface Place {
  tree: Tree;
  /** Where somebody has gone to. */
  at: number;
  /** What is on the board, until the site has answered. */
  shown: number;
}

/** `first` is the position of the tree's first place; `planted` is the tree at the beginning, and a place in it; none of them changes. */
export function useStudy(root: Root, first: StudyView, onNotice: OnNotice, planted: [Tree, number] = [SEED, 0]): Study {
  const [{ tree, at, shown }, setPlace] = useState<Place>({ tree: planted[0], at: planted[1], shown: 0 });
  const [view, setView] = useState(first);
  const [busy, setBusy] = useState(planted[1] > 0);
  const known = useRef(new Map<string, StudyView>([["", first]]));
  const wanted = useRef<string | null>(""); // null: nobody is here any more
  const awaiting = useRef<((study: Study) => void) | null>(null);
  const pace = usePace();

  useEffect(() => {
    if (planted[1]) show(actionsTo(...planted), standing(planted[1]));
    return () => {
      wanted.current = null;
    };
  }, []);

  /** `settled` is the place when the position after `actions` is on the board. */
  const show = (actions: number[], settled: (old: Place, answer: StudyView) => Place, ask = (call: () => void) => call()) => {
    pace.forget();
    awaiting.current = null;
    const key = actions.join(" ");
    wanted.current = key;
    const take = (answer: StudyView) => {
      known.current.set(key, answer);
      if (wanted.current !== key) return;
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
          // a click on the board means the position that stands there
          setPlace((old) => ({ ...old, at: old.shown }));
        })
        .finally(() => wanted.current === key && setBusy(false)), // an answer that comes late leaves an old board on the screen
    );
  };
  const stand = (next: Tree, place: number) => {
    setPlace((old) => ({ ...old, tree: next, at: place }));
    show(actionsTo(next, place), standing(place), pace.run);
  };
  const act = (action: number) => {
    const actions = actionsTo(tree, shown);
    // what the action is called is known when its position is
    show([...actions, action], (old, answer) => {
      const ply = first.ply + actions.length;
      const [next, place] = grown(old.tree, shown, shifted(named([action], answer.moves, ply), first.ply));
      return { tree: next, at: place, shown: place };
    });
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
    act,
    playLine: lineFrom(at, view),
    playFromStart: lineFrom(0, first),
    go: (place) => stand(tree, place),
    back: () => stand(tree, stepBack(tree, at)),
    forward: () => stand(tree, stepOn(tree, at)),
    start: () => stand(tree, 0),
    end: () => stand(tree, endFrom(tree, at)),
    promote: () => setPlace((old) => ({ ...old, tree: promoted(old.tree, at) })),
    prune: () => {
      const parent = stepBack(tree, at);
      const child = pathBelow(tree, at, parent);
      // what is on the board stays in the tree until something else is
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

/** Somebody has gone to a place, and it is on the board. */
function standing(place: number): (old: Place) => Place {
  return (old) => ({ ...old, at: place, shown: place });
}

/** The place under `parent` on the way to `place`. */
function pathBelow(tree: Tree, place: number, parent: number): number {
  let here = place;
  while (here > 0 && tree[here]?.parent !== parent) here = tree[here]?.parent ?? 0;
  return here;
}

/** Plies counted from the tree's first place. */
function shifted<Twig extends { ply: number; begin: number }>(twigs: Twig[], by: number): Twig[] {
  return twigs.map((twig) => ({ ...twig, ply: twig.ply - by, begin: Math.max(0, twig.begin - by) }));
}
