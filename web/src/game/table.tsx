// The layout of a game's page, running or replayed: board, players, moves, evaluation, status and buttons.
import { Fragment } from "preact";
import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { Act, Board, GameState } from "../api.gen.ts";
import type { Turn } from "../board/ahead.ts";
import { colourInHand, colourOf } from "../board/colours.ts";
import { frame } from "../board/geometry.ts";
import { PlayBoard } from "../board/play.tsx";
import { edgeKey } from "../board/same.ts";
import { canTurn, halfTurned, turned } from "../board/turned.ts";
import { evaluationWords } from "../chances.ts";
import { useNarrow } from "../narrow.ts";
import { prefer, usePrefs } from "../prefs.ts";
import { Toggle } from "../toggle.tsx";
import { EvaluationBar, EvaluationGraph, EvaluationToggle, Slips } from "./evaluation.tsx";
import { hintFrom } from "./hint.ts";
import { judge } from "./judgement.ts";
import type { Judgement, Mark } from "./judgement.ts";
import { Moves } from "./moves.tsx";
import { PlayerStrip } from "./player.tsx";
import { StatusBox } from "./status.tsx";
import type { Preparing } from "./status.tsx";
import { Steps, useKeys } from "./steps.tsx";
import { Typing } from "./typing.tsx";
import type { Past } from "./use-past.ts";
import { usePremoves } from "./use-premoves.ts";
import { clockWords, statusLine, termsLine } from "./words.ts";

interface TableProps {
  state: GameState;
  past: Past;
  /** The actions that were sent to the site and are not confirmed yet. */
  pending?: readonly Act[];
  /** The turn after them, as far as it is known before the site has answered. */
  ahead?: Turn | null;
  /** Whether the connection to the site is open. */
  ready?: boolean;
  /** The bytes loaded so far of the opponent's engine; null while none is loading. */
  preparing?: Preparing | null;
  /** Whether an engine may evaluate this game. */
  canEvaluate?: boolean;
  /** The engine's evaluations by ply; null while the evaluation is switched off. */
  evaluations?: (number | null)[] | null;
  /** The expected leads by ply, in games with points. */
  leads?: (number | null)[];
  /** Whether moves may be marked as errors, and the graph shown: not while players see the bar only. */
  marks?: boolean;
  /** Switches the evaluation; the default changes the remembered setting. */
  onEvaluate?: () => void;
  /** The engine's best move in the position on the board. */
  bestMove?: string;
  /** The number of moves of a forced win in that position; 0: unknown. */
  winsIn?: number;
  /** The ownership forecast, by rows. */
  ownership?: number[][];
  /** The message in place of missing evaluations. */
  evaluationWords?: string;
  /** The choice of who evaluates. */
  evaluator?: ComponentChildren;
  onAct?: (action: number) => void;
  /** Elements beside a player's name, such as a clock. */
  aside?: (player: number) => ComponentChildren;
  actions: ComponentChildren;
  /** The review of the game: its marks, what it says about the position, and elements in place of the counts of errors. */
  reviewed?: { marks: Map<number, Mark>; errors: Map<number, Judgement>; insight: ComponentChildren; summary: ComponentChildren } | null;
  /** The moves with comments and variations, in place of the plain list of moves. */
  variations?: ComponentChildren;
  /** The time control in words; default: that of the game's clocks. */
  time?: string;
  /** Elements below the record, such as the chat. */
  below?: ComponentChildren;
}

const NOBODY = () => {};
const NOTHING: [] = [];

export function Table(props: TableProps) {
  const { state, past, pending = NOTHING, ahead = null, ready = false, onAct = NOBODY, evaluations = null, reviewed } = props;
  const prefs = usePrefs();
  const narrow = useNarrow();
  const [flipped, setFlipped] = useState<boolean | null>(null);
  const shown = past.position;
  const { back } = past;
  const mine = !back && state.status === "playing" && state.you !== null && state.you === state.toPlay;
  const answered = pending.length === 0;
  const foreseen = mine && !prefs.confirm ? ahead : null; // a confirmation names the move as the site does
  const active = mine && ready && (answered || (foreseen?.toPlay === state.you && foreseen.board.choices.length > 0));
  const premoving = usePremoves(state, ready && answered, onAct);
  const waiting = !back && answered ? premoving.board : null;

  const seated = state.you ?? 0;
  const flip = canTurn(state.board) && (flipped ?? (state.board.opposite && seated === 1));
  // while an action is pending, the board is drawn with its choices, unless what follows is known
  const bare = foreseen?.board ?? (active || (mine && !answered) ? state.board : (waiting ?? { ...shown.board, choices: [] }));
  const board = useMemo(() => (flip ? turned(bare) : bare), [flip, mine, active, answered, waiting, shown.board, foreseen]);
  const newEdges = useMemo(() => newWalls(shown.board, past.before, flip), [shown.board, past.before, flip]);
  const premoves = useMemo(
    () => premoving.premoves.map((one) => (flip ? turnedPremove(state.board, one) : one)),
    [premoving.premoves, flip],
  );
  const hint = evaluations && props.bestMove && past.arrived ? hintFrom(props.bestMove, shown.board, flip) : [];

  const onFlip = () => setFlipped(!flip);
  useKeys(past.step, canTurn(state.board) ? { f: onFlip } : {});

  const box = frame(state.board, prefs.coordinates, true);
  // a player sees their own side at the bottom; for a spectator, it depends on whether the board is turned
  const below = state.you ?? (flip ? 1 : 0);
  const strip = (player: number, place: "top" | "bottom") => (
    <PlayerStrip key={place} state={state} board={shown.board} player={player} place={place}>
      {props.aside?.(player)}
    </PlayerStrip>
  );
  const full = props.marks === false ? null : evaluations;
  const judged = reviewed?.errors ?? (full ? judge(state.moves, full) : new Map());
  const evaluation = evaluations ? (latest(evaluations, past.ply) ?? null) : null;
  const lead = evaluations ? (latest(props.leads ?? [], past.ply) ?? null) : null;
  const words = evaluationWords([state.players[0].name, state.players[1].name], state.you, evaluation, lead, props.winsIn);
  const status = (
    <StatusBox
      key="status"
      state={state}
      back={back}
      premoves={premoving.premoves.length}
      preparing={props.preparing ?? null}
      buttons={active ? bare.choices.filter((choice) => choice.kind === "button") : []}
      confirm={prefs.confirm}
      onAct={onAct}
      onNow={() => past.step("end")}
      onClear={premoving.clear}
    />
  );
  const walk = (
    <div key="walk" class="walk">
      <Steps ply={past.ply} last={state.ply} step={past.step} />
      {canTurn(state.board) && <Toggle icon="turn" name="Turn the board" word="Turn" title={prefs.shortcuts ? "Turn the board (f)" : "Turn the board"} pressed={flip} onToggle={onFlip} />}
      {props.canEvaluate && <EvaluationToggle on={evaluations !== null} onToggle={props.onEvaluate} />}
      {state.you !== null && state.status === "playing" && (
        <Toggle icon="keys" name="Type moves" word="Type" pressed={prefs.typing} onToggle={() => prefer({ typing: !prefs.typing })} />
      )}
    </div>
  );
  const graph = full && <EvaluationGraph state={state} evaluations={full} ply={past.ply} onPly={past.go} judged={judged} />;
  const opinions = (
    <>
      {!reviewed && state.result && judged.size > 0 && <Slips state={state} judged={judged} />}
      {evaluations && props.evaluator}
      {evaluations && props.evaluationWords && (
        // not role="status": lost focus would move here instead of to the game's status
        <p class="quiet-note" aria-live="polite">
          {props.evaluationWords}
        </p>
      )}
      {evaluations && !reviewed && (
        <p class="best-move">
          {words}
          {props.bestMove && (
            <span>
              Best: <b>{props.bestMove}</b>
            </span>
          )}
        </p>
      )}
    </>
  );
  // on a phone, what opens with the evaluation comes last, so that the chat stays where it is
  const isApart = narrow && !!props.below;
  const record = (
    <section key="record" class="record" aria-label="Record">
      {narrow && walk}
      {narrow && reviewed?.insight}
      <p class="terms">{termsLine(state, props.time ?? clockWords(state))}</p>
      {props.variations ?? <Moves state={state} ply={past.ply} onPly={past.go} judged={reviewed?.marks ?? judged} evaluations={full} />}
      {!isApart && graph}
      {!narrow && reviewed?.insight}
      {reviewed?.summary}
      {!isApart && opinions}
      {!narrow && walk}
      {prefs.typing && state.you !== null && state.status === "playing" && (
        <Typing choices={active && answered ? state.board.choices : []} walls={state.board.edges} active={active} back={back} ply={state.ply} onAct={onAct} />
      )}
    </section>
  );
  const actions = <Fragment key="actions">{props.actions}</Fragment>;
  const bottom = strip(below, "bottom");
  return (
    <main class={`table ${evaluations || props.canEvaluate ? "" : "without-bar"} ${reviewed ? "reviewed" : ""}`} style={{ "--aspect": box.width / box.height }}>
      <h1 class="visually-hidden">{state.title}</h1>
      {strip(1 - below, "top")}
      {evaluations && <EvaluationBar evaluation={evaluation} lead={lead} words={words} board={shown.board} bottom={below} />}
      <section class="board-area" aria-label="Board">
        {board.rows > 0 && (
          <PlayBoard
            board={board}
            mode={active ? "play" : waiting ? "premove" : "look"}
            owner={waiting ? colourOf(state.board, seated) : colourInHand(state.board, seated)}
            you={state.you}
            place={past.ply + (foreseen ? pending.length : 0)}
            flip={flip}
            labels={prefs.coordinates}
            pending={back || foreseen ? null : (pending[0]?.action ?? null)}
            label={`${state.title}. ${back ? "An earlier position." : statusLine(state)}`}
            newEdges={newEdges}
            premoves={back ? [] : premoves}
            hint={hint}
            open={back ? NOTHING : premoving.open}
            {...(props.ownership ? { ownership: flip ? halfTurned(props.ownership) : props.ownership } : {})}
            confirm={prefs.confirm}
            onAct={active ? onAct : premoving.add}
            onCancel={premoving.clear}
          />
        )}
      </section>
      {narrow ? (reviewed ? [bottom, record, status, actions] : [bottom, status, actions, record]) : [record, status, actions, bottom]}
      {props.below}
      {isApart && evaluations && (
        <section key="judged" class="record judged" aria-label="Evaluation">
          {graph}
          {opinions}
        </section>
      )}
    </main>
  );
}

/** Return the latest known value at or before a ply. */
function latest(values: (number | null)[], ply: number): number | undefined {
  for (let at = Math.min(ply, values.length - 1); at >= 0; at -= 1) {
    const value = values[at];
    if (typeof value === "number") return value;
  }
  return undefined;
}

function newWalls(now: Board, before: Board | null, flip: boolean): Set<string> {
  if (!before) return new Set();
  const old = new Set(before.edges.map(edgeKey));
  const fresh = now.edges.filter((edge) => !old.has(edgeKey(edge)));
  return new Set((flip ? turned({ ...now, edges: fresh }).edges : fresh).map(edgeKey));
}

function turnedPremove(board: Board, premove: { kind: string; at: readonly [number, number]; source: readonly [number, number] | null }) {
  const { kind, at, source } = premove;
  const choice = { action: 0, text: "", kind, at: [...at] as [number, number], source: source && ([...source] as [number, number]), label: null, move: null, ask: null };
  const [found] = turned({ ...board, choices: [choice] }).choices;
  return { kind, at: found?.at ?? at, source: found?.source ?? null };
}
