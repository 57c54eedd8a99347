// The analysis page: opens a game from its start, a position, a recorded game or a saved analysis; and the position editor.
import { useEffect, useState } from "preact/hooks";
import { plyFromAddress } from "../address.ts";
import type { StudyView } from "../api.gen.ts";
import { SiteError, catalogue, study } from "../api.ts";
import type { OnNotice } from "../notice.ts";
import { shared } from "../people.ts";
import { Delayed } from "../refused.tsx";
import { addressOf, placeFromAddress, rootFromAddress, sharedAddress } from "./addresses.ts";
import { Analysis } from "./analysis.tsx";
import { Arranging } from "./arranging.tsx";
import { kept } from "./kept.ts";
import type { Kept } from "./kept.ts";
import { savedOnes } from "./saved.ts";
import type { Named } from "./saved.ts";
import { SEED, actionsTo, grown, named, planted } from "./tree.ts";
import type { Tree } from "./tree.ts";
import type { ReadGame } from "./use-arrangement.ts";
import type { Root } from "./use-study.ts";

/** What the analysis board needs to begin. */
interface Opened {
  root: Root;
  first: StudyView;
  planted: [Tree, number];
  named: Named;
}

interface Noticing {
  onNotice: OnNotice;
}

export function StudyPage({ onNotice }: Noticing) {
  const [root, setRoot] = useState(rootFromAddress);
  const [found, setFound] = useState<Opened | null>(null);
  const [trouble, setTrouble] = useState<Error | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [arranging, setArranging] = useState<{ root: Root; actions: number[] } | null>(() =>
    root.spec && new URLSearchParams(location.search).has("arrange") ? { root, actions: [] } : null,
  );
  useEffect(() => {
    document.title = "Analysis – Ludus";
    setTrouble(null);
    let gone = false;
    const open = async () => {
      const whole = await opened(root.spec || root.link || root.saved ? root : { ...root, spec: await usualGame() });
      if (!gone) setFound(whole);
    };
    const fail = async (error: Error) => {
      if (!(error instanceof SiteError && error.status === 400)) throw error; // the address may be valid: keep it and the stored tree
      const isOffered = root.spec !== "" && (await study({ spec: root.spec, setup: null }).then(Boolean, () => false));
      const spec = isOffered ? root.spec : await usualGame();
      if (gone) return; // another position has been set up
      onNotice(error);
      setArranging({ root: { spec, setup: null, before: [] }, actions: [] });
    };
    open()
      .catch(fail)
      .catch((error: Error) => !gone && setTrouble(error));
    return () => {
      gone = true;
    };
  }, [root, attempt]);
  const show = (to: Root, address: string) => {
    history.replaceState(null, "", address);
    setArranging(null);
    setFound(null);
    setRoot(to);
  };
  const onSetUp = (to: Root) => show(to, addressOf(to));
  const onGame = ({ link, leftOut }: ReadGame) => {
    show({ ...root, link }, sharedAddress(link, 0));
    if (leftOut) onNotice(leftOut.join(" "));
  };
  if (arranging) {
    const onCancel = () => (found ? setArranging(null) : onSetUp(arranging.root));
    return <Arranging key={addressOf(arranging.root)} {...arranging} onSetUp={onSetUp} onGame={onGame} onCancel={onCancel} />;
  }
  if (trouble) return <Delayed error={trouble} onAgain={() => setAttempt(attempt + 1)} />;
  if (!found) return <main class="middle" />;
  const onArrange = (tree: Tree, at: number) => {
    setFound({ ...found, planted: [tree, at] }); // a cancelled editor returns to this position
    setArranging({ root: found.root, actions: actionsTo(tree, at) });
  };
  return <Analysis {...found} onArrange={onArrange} onNotice={onNotice} />;
}

/** Fetch the first position and the tree: the stored one, that of a link, or that of the moves in the address. */
async function opened(asked: Root): Promise<Opened> {
  const old = kept();
  const saved = asked.saved === undefined ? undefined : savedOnes().find(({ id }) => id === asked.saved);
  if (asked.saved !== undefined) {
    if (!saved) throw new SiteError("This browser keeps no such analysis; it may have been deleted.", 404);
    const { spec, setup, tree, at, id, name } = saved;
    return { root: { spec, setup, before: [] }, first: await study({ spec, setup }), planted: [tree, at], named: { id, name } };
  }
  const game = asked.link === undefined ? null : await shared(asked.link);
  const root = game ? { spec: game.game.spec, setup: game.setup, before: game.moves.map((move) => move.text) } : asked;
  const { spec, setup } = root;
  const carried = game?.tree.length ? { tree: planted(game.tree), at: placeFromAddress(game.tree) } : null;
  const [first, { tree, at }] = await Promise.all([study({ spec, setup }), old ?? carried ?? treeOf(root)]);
  return { root: { spec, setup, before: [] }, first, planted: [tree, at], named: old?.named ?? null };
}

/** Build the tree from the moves in the address, and find the node to show. */
async function treeOf({ spec, setup, before }: Root): Promise<Omit<Kept, "named">> {
  const end = await study({ spec, setup, moves: before });
  const [tree, last] = grown(SEED, 0, named(end.actions, end.moves, 0));
  return { tree, at: placeAt(tree, last, plyFromAddress()) };
}

/** Return the node at a ply on the path to `last`; `last` itself if `ply` is null. */
function placeAt(tree: Tree, last: number, ply: number | null): number {
  let here = last;
  while (ply !== null && here > 0 && (tree[here]?.ply ?? 0) > ply) here = tree[here]?.parent ?? 0;
  return here;
}

/** Return the full name of the first game of the catalogue, for addresses without a game. */
async function usualGame(): Promise<string> {
  return (await catalogue()).games[0]?.spec ?? "";
}
