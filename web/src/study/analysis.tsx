// The analysis board: one person plays both sides, with an engine, variations, comments and the openings of the site's games.
import { useMemo, useRef, useState } from "preact/hooks";
import { useAddress } from "../address.ts";
import type { DevicePosition, StudyView } from "../api.gen.ts";
import { sidesOf } from "../board/colours.ts";
import { frame } from "../board/geometry.ts";
import { canTurn } from "../board/turned.ts";
import { Button } from "../button.tsx";
import { boardWords, entryFor, useCatalogue } from "../catalogue.ts";
import { evaluationWords } from "../chances.ts";
import { reaches } from "../device/line.ts";
import { useWhere } from "../device/use-where.ts";
import type { Where } from "../device/use-where.ts";
import { EvaluationBar } from "../game/evaluation.tsx";
import { verdict } from "../game/judgement.ts";
import type { Judgement } from "../game/judgement.ts";
import { Captured } from "../game/player.tsx";
import { CopyLink } from "../game/share.tsx";
import { Steps, useKeys } from "../game/steps.tsx";
import { Icon } from "../icons.tsx";
import { useNarrow } from "../narrow.ts";
import type { OnNotice } from "../notice.ts";
import { studyLink, studyText } from "../people.ts";
import { prefer, usePrefs } from "../prefs.ts";
import { SaveButton } from "../save.tsx";
import { Toggle } from "../toggle.tsx";
import { addressOf, playAddress, sharedAddress, wholeMoves } from "./addresses.ts";
import { Engine } from "./engine.tsx";
import { GamePicker } from "./game-picker.tsx";
import { toKeep } from "./kept.ts";
import { Notes } from "./notes.tsx";
import { Explorer } from "./openings.tsx";
import { SavedList } from "./saved-list.tsx";
import type { Named } from "./saved.ts";
import { StudyBoard } from "./study-board.tsx";
import { actionsTo, endFrom, isLine, isMain, listed, marked, placeIn } from "./tree.ts";
import type { Tree } from "./tree.ts";
import { useDeepening } from "./use-deepening.ts";
import type { Depth, Thinker } from "./use-deepening.ts";
import { useStudy } from "./use-study.ts";
import type { Root, Study } from "./use-study.ts";
import { Variations } from "./variations.tsx";

const BY_SITE: Thinker = { by: "site" };

interface AnalysisProps {
  root: Root;
  first: StudyView;
  planted: [Tree, number];
  named: Named;
  /** Open the position editor with the position on the board. */
  onArrange: (tree: Tree, at: number) => void;
  onNotice: OnNotice;
}

export function Analysis({ root, first, planted, named, onArrange, onNotice }: AnalysisProps) {
  const prefs = usePrefs();
  const narrow = useNarrow();
  const [flip, setFlip] = useState(false);
  const [saved, setSaved] = useState(named);
  const line = useStudy(root, first, onNotice, planted, true);
  const { view, tree, at } = line;
  const actions = useMemo(() => actionsTo(tree, at), [tree, at]);
  const [paused, setPaused] = useState(false);
  const isShown = view.actions.join(" ") === actions.join(" "); // otherwise the site's answer is still pending
  const device = view.device && reaches(view.device, view.ply) ? view.device : null;
  const where = useWhere(device?.manifest ?? null);
  const engine = useDeepening(root, actions, prefs.engine && !paused, isShown ? thinkerOf(view, device, where) : null);
  const judgement = prefs.engine ? (engine.depth?.found ?? null) : null;
  const judged = useMemo(() => judge(tree, engine.known), [tree, engine.known]);
  const record = useRef<HTMLElement>(null);
  const onFlip = () => setFlip(!flip);
  const onComment = () => record.current?.querySelector<HTMLElement>("textarea")?.focus();
  const walk = (by: "start" | "back" | "forward" | "end") => line[by]();
  const beside = { ArrowUp: () => line.beside(-1), ArrowDown: () => line.beside(1) };
  useKeys(walk, { ...beside, c: onComment, ...(canTurn(view.board) ? { f: onFlip } : {}) });
  useAddress(isShown ? addressOf({ ...root, before: wholeMoves(view) }) : null, useMemo(() => toKeep(tree, at, saved), [tree, at, saved]));
  const offered = useCatalogue();
  const here = offered.entries ? entryFor(offered.entries, offered.choices, root.spec, view) : undefined;
  const players: [string, string] = [view.players[0], view.players[1]];
  const marks = isShown ? tree[at]?.marks : undefined;
  const shown = useMemo(() => ({ ...view, board: marked(view.board, marks) }), [view, marks]);
  const value = judgement?.evaluation ?? null;
  const box = frame(view.board, prefs.coordinates, true);
  const steps = (
    <div key="walk" class="walk">
      <Steps ply={at} last={endFrom(tree, at) === at ? at : -1} step={walk} />
      {canTurn(view.board) && <Toggle icon="turn" name="Turn the board" word="Turn" title={prefs.shortcuts ? "Turn the board (f)" : "Turn the board"} pressed={flip} onToggle={onFlip} />}
      <Toggle icon="chart" name="Engine" title="Evaluate the position by an engine" pressed={prefs.engine} onToggle={() => prefer({ engine: !prefs.engine })} />
    </div>
  );
  const picker = <GamePicker key="picker" offered={offered} here={here} />;
  return (
    <main class={`analysis ${view.board.style} ${prefs.engine ? "" : "without-bar"}`} style={{ ...sidesOf(view.board), "--aspect": box.width / box.height }}>
      <h1 class="visually-hidden">Analysis</h1>
      {prefs.engine && <EvaluationBar evaluation={value} lead={judgement?.lead ?? null} words={evaluationWords(players, null, value, judgement?.lead, judgement?.lines[0]?.winsIn)} board={view.board} bottom={flip ? 1 : 0} />}
      <section class="board-area" aria-label="Board">
        <StudyBoard study={{ ...line, view: shown }} label="Analysis board" flip={flip} judged={judgement}>
          <Captures view={view} />
        </StudyBoard>
      </section>
      <div class="beside">
        {!narrow && picker}
        {steps /* above all that changes its height with the position, so that they stay under the pointer */}
        {prefs.engine && <Engine engine={engine} where={where} view={view} paused={paused} onPause={setPaused} onPlay={line.playLine} />}
        <section ref={record} class="record" aria-label="Record">
          <Variations tree={tree} at={at} judged={judged} onGo={line.go} />
          <Notes study={line} />
          <div class="row">
            <Button class="button small" title="Make this the main line" disabled={isMain(tree, at)} onClick={line.promote}>
              Promote line
            </Button>
            <Button class="button small" disabled={at === 0} onClick={line.prune}>
              Delete from here
            </Button>
          </div>
        </section>
        <Explorer root={root} study={line} actions={actions} />
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
          <CopyLink link={() => linkWhenSettled(root, line)} text="Copy link" title="Copy the address of this analysis, with its variations and comments" onNotice={onNotice} />
        </div>
        <SavedList now={() => ({ spec: root.spec, setup: root.setup, tree, at })} saved={saved} usual={`${here ? boardWords(offered, here) : view.game}, ${new Date().toLocaleDateString()}`} onSaved={setSaved} onNotice={onNotice} />
        {narrow && picker}
      </div>
    </main>
  );
}

/** Return who evaluates a position; the site knows the value of a finished game without an engine. */
function thinkerOf({ result }: StudyView, device: DevicePosition | null, where: Where): Thinker | null {
  if (result || where.by === "site") return BY_SITE;
  return where.by && device ? { by: where.by, device } : null;
}

/** Delay a click on a link until the site has answered and the link's address is current. */
function pressedWhenSettled(line: Study, event: MouseEvent & { currentTarget: HTMLElement }) {
  const link = event.currentTarget;
  event.preventDefault();
  line.settled(() => link.isConnected && link.click());
}

/** Return the address of the analysis once the site has answered: of its line, or of a link with all that is in the tree. */
function linkWhenSettled(root: Root, line: Study): Promise<string> {
  const { spec, setup } = root;
  const linkTo = async ({ view, tree, at }: Study) => {
    if (isLine(tree)) return addressOf({ ...root, before: wholeMoves(view) });
    const { link, place } = await studyLink({ spec, setup, nodes: listed(tree), at: placeIn(tree, at) });
    return sharedAddress(link, place);
  };
  return new Promise((resolve, reject) => line.settled((now) => linkTo(now).then((address) => resolve(location.origin + address), reject)));
}

/** Return the tree as a file in the format of its game once the site has answered. */
function treeWhenSettled({ spec, setup }: Root, line: Study): Promise<File> {
  return new Promise((resolve, reject) => line.settled(({ tree }) => studyText({ spec, setup, nodes: listed(tree) }).then(resolve, reject)));
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
function judge(tree: Tree, known: Map<string, Depth>): Map<number, Judgement> {
  const value = (place: number) => known.get(actionsTo(tree, place).join(" "))?.found.evaluation;
  const found = new Map<number, Judgement>();
  tree.forEach((twig, place) => {
    let before = twig.parent;
    while (before > 0 && (tree[before]?.ply ?? 0) > twig.begin) before = tree[before]?.parent ?? 0;
    const one = place > 0 && verdict(value(Math.max(0, before)), value(place), twig.player);
    if (one) found.set(place, one);
  });
  return found;
}
