// The analysis page: any game from its start, a position or a recorded game; one person plays both sides.
import { useEffect, useMemo, useState } from "preact/hooks";
import { decoded, plyFromAddress, useAddress } from "../address.ts";
import type { LineEvaluation, StudyView } from "../api.gen.ts";
import { SiteError, catalogue, study } from "../api.ts";
import { sidesOf } from "../board/colours.ts";
import { frame } from "../board/geometry.ts";
import { canTurn } from "../board/turned.ts";
import { Button } from "../button.tsx";
import { EvaluationBar, EvaluationToggle } from "../game/evaluation.tsx";
import { verdict } from "../game/judgement.ts";
import type { Judgement } from "../game/judgement.ts";
import { Captured } from "../game/player.tsx";
import { CopyLink } from "../game/share.tsx";
import { Steps, useKeys } from "../game/steps.tsx";
import { evaluationWords } from "../game/words.ts";
import { Icon } from "../icons.tsx";
import { useNarrow } from "../narrow.ts";
import type { OnNotice } from "../notice.ts";
import { shared, studyText } from "../people.ts";
import { usePrefs } from "../prefs.ts";
import { Delayed } from "../refused.tsx";
import { SaveButton } from "../save.tsx";
import { Toggle } from "../toggle.tsx";
import { Arranging } from "./arranging.tsx";
import { EngineLines } from "./engine-lines.tsx";
import { kept, toKeep } from "./kept.ts";
import type { Kept } from "./kept.ts";
import { setupFrom } from "./positions.ts";
import { StudyBoard } from "./study-board.tsx";
import { SEED, actionsTo, endFrom, grown, isMain, listed, marked, named, planted } from "./tree.ts";
import type { Tree } from "./tree.ts";
import type { ReadGame } from "./use-arrangement.ts";
import { useLineEvaluation } from "./use-line-evaluation.ts";
import { useStudy } from "./use-study.ts";
import type { Root, Study } from "./use-study.ts";
import { Variations } from "./variations.tsx";

interface HereProps {
  /** A link that contains the game with its comments and variations; null for a game without them. */
  link?: string | null;
  spec: string;
  setup: Root["setup"];
  moves: { text: string; ply: number }[];
  /** The ply on the board. */
  ply: number;
}

/** A link to the analysis page with the whole game, at the shown position. */
export function StudyHere({ link = null, spec, setup, moves, ply }: HereProps) {
  const address = link ? sharedAddress(link, ply) : addressOf({ spec, setup, before: moves.map((move) => move.text) }, ply);
  return (
    <a class="button quiet" href={address} title="Try other moves from this position">
      <Icon name="branch" /> Analyse
    </a>
  );
}

interface Noticing {
  onNotice: OnNotice;
}

export function StudyPage({ onNotice }: Noticing) {
  const [root, setRoot] = useState(rootFromAddress);
  const [found, setFound] = useState<{ root: Root; first: StudyView; planted: [Tree, number] } | null>(null);
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
      const whole = await opened(root.spec || root.link ? root : { ...root, spec: await usualGame() });
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

interface AnalysisProps extends Noticing {
  root: Root;
  first: StudyView;
  planted: [Tree, number];
  /** Open the position editor with the position on the board. */
  onArrange: (tree: Tree, at: number) => void;
}

function Analysis({ root, first, planted, onArrange, onNotice }: AnalysisProps) {
  const prefs = usePrefs();
  const narrow = useNarrow();
  const [flip, setFlip] = useState(false);
  const line = useStudy(root, first, onNotice, planted);
  const { view, tree, at } = line;
  const actions = useMemo(() => actionsTo(tree, at), [tree, at]);
  const engine = useLineEvaluation(root, actions, prefs.evaluation);
  const judged = useMemo(() => judge(tree, engine.known), [tree, engine.known]);
  const onFlip = () => setFlip(!flip);
  const walk = (by: "start" | "back" | "forward" | "end") => line[by]();
  useKeys(walk, canTurn(view.board) ? { f: onFlip } : {});
  const isShown = view.actions.join(" ") === actions.join(" "); // otherwise the site's answer is still pending
  useAddress(isShown ? addressOf({ ...root, before: wholeMoves(view) }) : null, useMemo(() => toKeep(tree, at), [tree, at]));
  const players: [string, string] = [view.players[0], view.players[1]];
  const marks = isShown ? tree[at]?.marks : undefined;
  const shown = useMemo(() => ({ ...view, board: marked(view.board, marks) }), [view, marks]);
  const value = engine.found?.evaluation ?? null;
  const box = frame(view.board, prefs.coordinates, true);
  const steps = (
    <div key="walk" class="walk">
      <Steps ply={at} last={endFrom(tree, at) === at ? at : -1} step={walk} />
      {canTurn(view.board) && <Toggle icon="turn" name="Turn the board" title={prefs.shortcuts ? "Turn the board (f)" : "Turn the board"} pressed={flip} onToggle={onFlip} />}
      <EvaluationToggle />
    </div>
  );
  return (
    <main class={`analysis ${view.board.style} ${prefs.evaluation ? "" : "without-bar"}`} style={{ ...sidesOf(view.board), "--aspect": box.width / box.height }}>
      <h1 class="visually-hidden">Analysis</h1>
      {prefs.evaluation && <EvaluationBar evaluation={value} words={evaluationWords(players, null, value)} board={view.board} bottom={flip ? 1 : 0} />}
      <section class="board-area" aria-label="Board">
        <StudyBoard study={{ ...line, view: shown }} label="Analysis board" flip={flip} judged={engine.found}>
          <Captures view={view} />
        </StudyBoard>
      </section>
      <section class="record" aria-label="Record">
        {narrow && steps}
        <Variations tree={tree} at={at} judged={judged} onGo={line.go} />
        {!narrow && steps}
        <div class="row">
          <Button class="button small" title="Make this the main line" disabled={isMain(tree, at)} onClick={line.promote}>
            Promote line
          </Button>
          <Button class="button small" disabled={at === 0} onClick={line.prune}>
            Delete from here
          </Button>
        </div>
      </section>
      {prefs.evaluation && (
        <section class="panel engine" aria-label="Engine">
          <h2>{engine.found?.bot ? `Evaluation by ${engine.found.bot}` : "Engine"}</h2>
          {engine.words && (
            <p class="quiet-note" role="status">
              {engine.words}
            </p>
          )}
          {engine.found && <Lines found={engine.found} onPlay={line.playLine} />}
        </section>
      )}
      <div class="from-here">
        <button type="button" class="button" onClick={() => line.settled((now) => onArrange(now.tree, now.at))}>
          <Icon name="hand" /> Set up a position
        </button>
        {!view.result && (view.setup !== null || view.ply === 0) && (
          <a class="button" href={playAddress(root.spec, view.setup)} onClick={(event) => line.busy && pressedWhenSettled(line, event)}>
            <Icon name="play" /> Play from here
          </a>
        )}
        <SaveButton file={() => treeWhenSettled(root, line)} title="Download the moves with variations and comments" onNotice={onNotice} />
        <CopyLink link={() => linkWhenSettled(root, line)} text="Copy link to this position" title="Copy the address of this position" onNotice={onNotice} />
      </div>
    </main>
  );
}

/** Delay a click on a link until the site has answered and the link's address is current. */
function pressedWhenSettled(line: Study, event: MouseEvent & { currentTarget: HTMLElement }) {
  const link = event.currentTarget;
  event.preventDefault();
  line.settled(() => link.isConnected && link.click());
}

/** Return the address of the current position once the site has answered. */
function linkWhenSettled(root: Root, line: Study): Promise<string> {
  const linkTo = (view: StudyView) => location.origin + addressOf({ ...root, before: wholeMoves(view) });
  return new Promise((resolve) => line.settled(({ view }) => resolve(linkTo(view))));
}

/** Return the tree as a file in the format of its game once the site has answered. */
function treeWhenSettled({ spec, setup }: Root, line: Study): Promise<File> {
  return new Promise((resolve, reject) => line.settled(({ tree }) => studyText({ spec, setup, nodes: listed(tree) }).then(resolve, reject)));
}

function Lines({ found, onPlay }: { found: LineEvaluation; onPlay: (actions: number[], moves: LineEvaluation["lines"][0]["moves"]) => void }) {
  return (
    <EngineLines
      found={found}
      onPlay={(line, count) => {
        const ends = line.moves.map((move) => move.ply);
        const begin = (ends[line.moves.length - 1] ?? 0) - line.actions.length;
        onPlay(line.actions.slice(0, (ends[count - 1] ?? begin) - begin), line.moves);
      }}
    />
  );
}

/** The captured pieces of both players. */
function Captures({ view }: { view: StudyView }) {
  if (!view.board.captured.length) return <span class="study-steps" />;
  return (
    <span class="study-steps">
      <Captured board={view.board} player={0} />
      <Captured board={view.board} player={1} />
    </span>
  );
}

/** Judge the moves of the tree whose positions before and after are evaluated. */
function judge(tree: Tree, known: Map<string, LineEvaluation>): Map<number, Judgement> {
  const value = (place: number) => known.get(actionsTo(tree, place).join(" "))?.evaluation;
  const found = new Map<number, Judgement>();
  tree.forEach((twig, place) => {
    let before = twig.parent;
    while (before > 0 && (tree[before]?.ply ?? 0) > twig.begin) before = tree[before]?.parent ?? 0;
    const one = place > 0 && verdict(value(Math.max(0, before)), value(place), twig.player);
    if (one) found.set(place, one);
  });
  return found;
}

/** Fetch the first position and the tree: the stored one, that of a link, or that of the moves in the address. */
async function opened(asked: Root): Promise<{ root: Root; first: StudyView; planted: [Tree, number] }> {
  const game = asked.link === undefined ? null : await shared(asked.link);
  const root = game ? { spec: game.game.spec, setup: game.setup, before: game.moves.map((move) => move.text) } : asked;
  const { spec, setup } = root;
  const carried = game?.tree.length ? { tree: planted(game.tree), at: placeFromAddress(game.tree) } : null;
  const [first, { tree, at }] = await Promise.all([study({ spec, setup }), kept() ?? carried ?? treeOf(root)]);
  return { root: { spec, setup, before: [] }, first, planted: [tree, at] };
}

/** Read the place to open from `?shared=23`. */
function placeFromAddress(tree: unknown[]): number {
  const place = Number(new URLSearchParams(location.search).get("shared"));
  return Number.isInteger(place) && place > 0 && place < tree.length ? place : 0;
}

/** Build the tree from the moves in the address, and find the node to show. */
async function treeOf({ spec, setup, before }: Root): Promise<Kept> {
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

/** List the complete moves that lead to a position, without a last unfinished move. */
function wholeMoves({ moves, result, toPlay }: StudyView): string[] {
  const last = moves[moves.length - 1];
  const half = last && !result && last.player === toPlay;
  return (half ? moves.slice(0, -1) : moves).map((move) => move.text);
}

function addressOf({ spec, setup, before }: Root, ply: number | null = null): string {
  const query = new URLSearchParams({ spec });
  if (ply !== null) query.set("ply", String(ply));
  if (setup !== null) query.set("setup", typeof setup === "string" ? setup : JSON.stringify(setup));
  return `/study?${query}${before.length ? `#${encodeURIComponent(before.join(" "))}` : ""}`;
}

/** Return the address of a game in a link, at a place of its tree; on the main line, places are plies. */
export function sharedAddress(link: string, place: number): string {
  return `/study?shared=${place}#${link}`;
}

/** Return the address of the landing page with a start position. */
function playAddress(spec: string, setup: Root["setup"]): string {
  return addressOf({ spec, setup, before: [] }).replace("/study", "/");
}

/** Return the full name of the first game of the catalogue, for addresses without a game. */
async function usualGame(): Promise<string> {
  return (await catalogue()).games[0]?.spec ?? "";
}

/** Read the game, optional start position and moves from an address like `?spec=GAME&setup=SETUP#MOVE MOVE`. */
function rootFromAddress(): Root {
  const query = new URLSearchParams(location.search);
  if (query.has("shared")) return { spec: "", setup: null, before: [], link: location.hash.slice(1) };
  const before = decoded(location.hash.slice(1)).split(" ").filter(Boolean);
  return { spec: query.get("spec") ?? "", setup: setupFrom(query.get("setup")), before };
}
