// An interactive board: turns pointer and keyboard input into actions from the board's list of choices.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Board, Choice } from "../api.gen.ts";
import { Annotations, Hint, toggled } from "./annotations.tsx";
import type { Annotation } from "./annotations.tsx";
import { Drawing } from "./drawing.tsx";
import { centre, frame, sameCell } from "./geometry.ts";
import type { Cell, Point } from "./geometry.ts";
import { Dots, Dragged, Forbidden, Ghost, Premoves, Sources } from "./ghosts.tsx";
import { Grid } from "./grid.tsx";
import type { Aim } from "./grid.tsx";
import { Ownership } from "./ownership.tsx";
import type { Premove } from "./premoves.ts";
import { Question } from "./question.tsx";
import { wallWords } from "./reading.ts";
import { choicesFrom, forbiddenAt, meaning, reachable, sourceAt, sourcesOf, targetAt, targetsOf } from "./targets.ts";
import type { Target } from "./targets.ts";
import { turnedCell } from "./turned.ts";
import { usePrefs } from "../prefs.ts";
import { useFollowed } from "./use-followed.ts";
import { usePointer } from "./use-pointer.ts";

export interface PlayBoardProps {
  /** The board; its `choices` can be clicked. */
  board: Board;
  /** What a click does: play a move, add a premove, set up a position, or nothing. */
  mode: "play" | "premove" | "arrange" | "look";
  /** The colour of previewed pieces; null while it is not chosen. */
  owner: number | null;
  you: number | null;
  /** Identifies the position: a selected piece stays selected while this is unchanged. */
  place: number | string;
  /** Whether the board is turned; annotations turn with it. */
  flip?: boolean;
  label: string;
  labels?: boolean;
  newEdges?: Set<string>;
  /** The action that was sent to the site and is not confirmed yet. */
  pending?: number | null;
  premoves?: Premove[];
  hint?: Choice[];
  /** Actions on one target; opens the question which of them to play. */
  open?: number[];
  /** The ownership forecast, by rows as drawn. */
  ownership?: number[][];
  /** Ask for confirmation before each action. */
  confirm?: boolean;
  /** The shape that a click puts on the board if it differs from a move's; null: none. */
  shape?: string | null | undefined;
  onAct: (action: number) => void;
  /** Called on Escape and the right mouse button: cancel all premoves. */
  onCancel?: () => void;
}

const NOTHING: [] = [];
const MOST_DOTS = 60; // possible destinations; more are not shown before a piece is selected

export function PlayBoard(props: PlayBoardProps) {
  const { board, mode, owner, pending = null } = props;
  const svg = useRef<SVGSVGElement>(null);
  const [selected, setSelected] = useState<Cell | null>(null);
  const [asked, setAsked] = useState<{ choices: Choice[]; at: Point } | null>(null);
  const [puzzled, setPuzzled] = useState(false);
  const [drawn, setDrawn] = useState<Annotation[]>([]); // in coordinates of the unturned board
  const [aim, setAim] = useState<Aim | null>(null);
  const targets = useMemo(() => targetsOf(board), [board]);
  const sources = useMemo(() => sourcesOf(board), [board]);
  const pieces = useFollowed(board.pieces);
  const box = frame(board, props.labels ?? true, true);
  const active = mode !== "look";
  const oneClick = usePrefs().oneClick || board.one_click;
  const turn = (at: Cell): Cell => (props.flip ? turnedCell(board, at) : at);
  const turnedDrawing = ({ from, to }: Annotation): Annotation => ({ from: turn(from), to: turn(to) });

  const act = (action: number) => {
    setSelected(null); // another piece may move to the selected cell
    setAsked(null);
    props.onAct(action);
  };
  const choose = (target: Target | null, source: Cell | null, from: Cell | null = selected) => {
    const meant = meaning(target, source, from, oneClick);
    const at = target?.middle ?? { x: 0, y: 0 };
    setPuzzled(meant.kind === "which-piece");
    setAsked(meant.kind === "ask" ? { choices: meant.choices, at } : null);
    if (meant.kind === "act") {
      const choices = target?.choices.filter((choice) => choice.action === meant.action) ?? [];
      const sure = mode !== "play" || !(props.confirm || choices.some((choice) => choice.ask));
      if (sure) act(meant.action);
      else setAsked({ choices, at });
    } else if (meant.kind === "select") setSelected(meant.source);
    else if (meant.kind === "nothing") setSelected(null);
  };
  const pointing = usePointer({
    svg,
    board,
    active,
    sources,
    onClick: (point, lifted) => {
      setDrawn(NOTHING);
      if (!lifted && forbiddenAt(board, targets, point)) return;
      const target = targetAt(board, lifted ? reachable(targets, lifted) : targets, point);
      if (!lifted) choose(target, sourceAt(board, sources, point));
      else if (target) choose(target, null, lifted);
    },
    onAnnotation: (annotation) => setDrawn((old) => toggled(old, turnedDrawing(annotation))),
    onRightClick: () => props.onCancel?.(),
  });
  const letGo = () => {
    setSelected(null);
    setAsked(null);
    setPuzzled(false);
    pointing.letGo();
  };
  useEffect(letGo, [props.place, mode, props.flip]);
  useEffect(() => {
    const isOpen = ({ action }: Choice) => !!props.open?.includes(action);
    const target = targets.find(({ choices }) => choices.some(isOpen));
    if (target) setAsked({ choices: target.choices.filter(isOpen), at: target.middle });
  }, [props.open]);
  useEffect(() => setDrawn(NOTHING), [props.place]);
  const cancel = useRef(() => {});
  cancel.current = () => {
    letGo();
    props.onCancel?.();
  };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => event.key === "Escape" && cancel.current();
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);

  const { point, lifted } = pointing;
  const open = lifted ? reachable(targets, lifted) : targets.filter((target) => choicesFrom(target, selected, oneClick).length > 0);
  const forbidden = point && mode === "play" && !lifted ? forbiddenAt(board, targets, point) : null;
  const aimed = (at: Aim) => open.find((target) => target.kind === at.kind && sameCell(target.at, at.at)) ?? null;
  const keyed = (at: Aim) => aimed(at) ?? (at.kind === "cell" ? targetAt(board, open, centre(board, at.at)) : null);
  const targetOn = (at: Aim) => targets.find((target) => target.kind === at.kind && sameCell(target.at, at.at)) ?? null;
  const shown =
    pending !== null
      ? targets.find((target) => target.choices.some((choice) => choice.action === pending))
      : point && !forbidden
        ? targetAt(board, open, point)
        : active && aim && !forbidden
          ? keyed(aim)
          : null;
  const sent = pending === null ? undefined : board.choices.find((choice) => choice.action === pending);
  const moving = lifted ?? selected ?? sent?.source ?? null;
  const ghost = shown ? (
    <Ghost board={board} gap={box.gap} target={shown} selected={moving} owner={owner} dragged={!!lifted} shape={props.shape} />
  ) : null;
  const classes = [mode === "look" ? "" : "active", mode, shown && active ? "aimed" : "", puzzled ? "hint" : "", pending === null ? "" : "pending"];
  return (
    <div class="play-board">
      <Drawing
        board={board}
        frame={box}
        pieces={pieces}
        lifted={lifted}
        newEdges={props.newEdges}
        svgRef={svg}
        className={classes.join(" ")}
        handlers={pointing.handlers}
        under={
          <>
            {props.premoves && <Premoves board={board} premoves={props.premoves} gap={box.gap} owner={owner} />}
            {active && <Sources board={board} sources={sources} selected={moving} gap={box.gap} all={mode === "play" && sources.length <= 4} />}
            {board.style !== "drop" && ghost}
          </>
        }
        behindRack={board.style === "drop" && ghost}
        over={
          <>
            <g class="signs" aria-hidden="true">
              {mode === "play" && (
                <Dots board={board} targets={open.filter((target) => target !== shown)} few={!!moving || (sources.length <= 2 && targets.length <= MOST_DOTS)} />
              )}
              {props.ownership && <Ownership board={board} ownership={props.ownership} />}
              {forbidden && <Forbidden board={board} edge={forbidden} />}
              {props.hint && <Hint board={board} choices={props.hint} />}
              <Annotations board={board} drawn={drawn.map(turnedDrawing)} />
              {pointing.drag && lifted && <Dragged board={board} drag={pointing.drag} owner={owner} />}
            </g>
            <Grid
              board={board}
              label={props.label}
              you={props.you}
              selected={selected}
              wordsFor={(at) => {
                const name = wallWords(board, { at: [at.at[0], at.at[1]], side: at.kind });
                return aimed(at) ? `${name}: press Enter to build it` : `${name}: not possible`;
              }}
              onAim={setAim}
              onChoose={(at) => {
                if (!active) return;
                const source = at.kind === "cell" ? (sources.find((cell) => sameCell(cell, at.at)) ?? null) : null;
                choose(keyed(at) ?? targetOn(at), source);
              }}
            />
          </>
        }
      />
      {asked && (
        <Question
          asked={asked.choices}
          at={asked.at}
          frame={box}
          owner={owner}
          onAct={act}
          onCancel={letGo}
        />
      )}
      {puzzled && (
        <p class="board-note" role="status">
          Select the piece first.
        </p>
      )}
    </div>
  );
}
