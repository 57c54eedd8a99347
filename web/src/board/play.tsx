// A board that can be played on: hover and drag, keys and choices become one action; it knows no rules.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Board, Choice, Piece } from "../api.gen.ts";
import { Drawing, Wall } from "./drawing.tsx";
import { PITCH, centre, frame, sameCell } from "./geometry.ts";
import type { Cell, Point } from "./geometry.ts";
import { follow } from "./identity.ts";
import type { Known } from "./identity.ts";
import { Places } from "./places.tsx";
import { PieceShape } from "./pieces.tsx";
import { choicesFrom, meaning, reachable, sourceAt, sourcesOf, targetAt, targetsOf } from "./targets.ts";
import type { Target } from "./targets.ts";

interface PlayBoardProps {
  board: Board;
  /** Whether the person may act now. */
  active: boolean;
  toPlay: number;
  /** Which position this is; a new evaluation of the same one leaves a selected piece selected. */
  ply: number;
  label: string;
  newEdges: Set<string>;
  /** The action that was sent and is not answered yet. */
  pending: number | null;
  onAct: (action: number) => void;
}

interface Drag {
  source: Cell;
  from: Point;
  at: Point;
  moved: boolean;
}

const DRAG_STARTS = 0.12 * PITCH;

export function PlayBoard(props: PlayBoardProps) {
  const { board, active, toPlay, pending } = props;
  const svg = useRef<SVGSVGElement>(null);
  const [hovered, setHovered] = useState<string | null>(null);
  const [selected, setSelected] = useState<Cell | null>(null);
  const [drag, setDrag] = useState<Drag | null>(null);
  const [asked, setAsked] = useState<Choice[]>([]);
  const [hint, setHint] = useState(false);
  const targets = useMemo(() => targetsOf(board), [board]);
  const sources = useMemo(() => sourcesOf(board), [board]);
  const pieces = useFollowed(board.pieces);

  const letGo = () => {
    setSelected(null);
    setDrag(null);
    setAsked([]);
    setHint(false);
  };
  useEffect(letGo, [props.ply, active]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => event.key === "Escape" && letGo();
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);

  const lifted = drag?.moved ? drag.source : null;
  const open = lifted ? reachable(targets, lifted) : targets.filter((target) => choicesFrom(target, selected).length > 0);
  const choose = (target: Target | null, source: Cell | null, from: Cell | null = selected) => {
    const meant = meaning(target, source, from);
    setHint(meant.kind === "which-piece");
    setAsked(meant.kind === "ask" ? meant.choices : []);
    if (meant.kind === "act") props.onAct(meant.action);
    else if (meant.kind === "select") setSelected(meant.source);
    else if (meant.kind === "nothing") setSelected(null);
  };

  const locate = (event: PointerEvent): Point => {
    const matrix = svg.current?.getScreenCTM()?.inverse();
    return matrix ? new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix) : { x: -PITCH, y: -PITCH };
  };
  const handlers = {
    onPointerDown: (event: PointerEvent) => {
      if (!active || event.button !== 0) return;
      event.preventDefault(); // a click leaves the keyboard's place where it is
      keyboardAt.current = null;
      svg.current?.setPointerCapture(event.pointerId);
      const point = locate(event);
      const source = sourceAt(sources, point);
      if (source) setDrag({ source, from: point, at: point, moved: false });
      setHovered(targetAt(board, open, point)?.key ?? null);
    },
    onPointerMove: (event: PointerEvent) => {
      if (!active) return;
      const point = locate(event);
      if (drag) {
        const moved = drag.moved || Math.hypot(point.x - drag.from.x, point.y - drag.from.y) > DRAG_STARTS;
        setDrag({ ...drag, at: point, moved });
      }
      setHovered(targetAt(board, open, point)?.key ?? null);
    },
    onPointerUp: (event: PointerEvent) => {
      if (!active) return;
      const point = locate(event);
      setDrag(null);
      if (event.pointerType === "touch") setHovered(null);
      if (lifted) {
        const target = targetAt(board, open, point);
        if (target) choose(target, null, lifted);
        return;
      }
      choose(targetAt(board, open, point), sourceAt(sources, point));
    },
    onPointerCancel: () => {
      setDrag(null);
      setHovered(null);
    },
    onPointerLeave: () => setHovered(null),
  };

  const keyboardAt = useRef<string | null>(null);
  const [focused, setFocused] = useState<string | null>(null);
  const shownKey = active ? (hovered ?? focused) : null;
  const shown =
    pending === null
      ? targets.find((target) => target.key === shownKey)
      : targets.find((target) => target.choices.some((choice) => choice.action === pending));
  const box = frame(board, true, true);
  const moving = lifted ?? selected;
  const ghost = shown ? (
    <Ghost board={board} gap={box.gap} target={shown} selected={moving} owner={toPlay} dragged={!!lifted} />
  ) : null;

  return (
    <>
      <Drawing
        board={board}
        frame={box}
        pieces={pieces}
        lifted={lifted}
        label={props.label}
        newEdges={props.newEdges}
        svgRef={svg}
        className={`${active ? "active" : ""} ${shown && active ? "aimed" : ""} ${hint ? "hint" : ""} ${pending === null ? "" : "pending"}`}
        handlers={handlers}
        under={
          active && (
            <>
              <Sources board={board} sources={sources} selected={moving} gap={box.gap} />
              <Dots board={board} targets={open.filter((target) => target !== shown)} few={!!moving || sources.length <= 2} />
              {board.style !== "drop" && ghost}
            </>
          )
        }
        behindRack={board.style === "drop" && ghost}
        over={
          <>
            {active && (
              <Places
                board={board}
                targets={open}
                sources={sources}
                selected={selected}
                keyboardAt={keyboardAt}
                onFocus={setFocused}
                onChoose={choose}
              />
            )}
            {drag && lifted && <Dragged board={board} drag={drag} owner={toPlay} />}
          </>
        }
      />
      <Question asked={asked} hint={hint} onAct={props.onAct} onCancel={letGo} />
    </>
  );
}

/** The pieces with keys that last from board to board. */
function useFollowed(pieces: Piece[]): Known[] {
  const before = useRef<{ pieces: Piece[]; known: Known[] }>({ pieces: [], known: [] });
  if (before.current.pieces !== pieces) {
    const first = before.current.known.length === 0 && before.current.pieces.length === 0;
    const known = follow(before.current.known, pieces);
    before.current = { pieces, known: first && pieces.length > 1 ? known.map((one) => ({ ...one, fresh: false })) : known };
  }
  return before.current.known;
}

function Sources({ board, sources, selected, gap }: { board: Board; sources: Cell[]; selected: Cell | null; gap: number }) {
  if (board.style !== "squares") return null;
  const side = PITCH - gap;
  return (
    <>
      {sources.map((source) => {
        const { x, y } = centre(source);
        const name = sameCell(source, selected) ? "source selected" : "source";
        return <rect key={String(source)} class={name} x={x - side / 2} y={y - side / 2} width={side} height={side} rx={9} />;
      })}
    </>
  );
}

/** A dot on every cell that can be reached; a rack and a board of points show it by hovering alone. */
function Dots({ board, targets, few }: { board: Board; targets: Target[]; few: boolean }) {
  if (board.style !== "squares" || !few) return null;
  return (
    <>
      {targets.map(
        (target) =>
          target.kind === "cell" && <circle key={target.key} class="dot" cx={target.middle.x} cy={target.middle.y} r={11} />,
      )}
    </>
  );
}

interface GhostProps {
  board: Board;
  gap: number;
  target: Target;
  selected: Cell | null;
  owner: number;
  dragged: boolean;
}

/** What the board would look like after the click: a wall that glows, a disc in its hole, a pale piece. */
function Ghost({ board, gap, target, selected, owner, dragged }: GhostProps) {
  const { x, y } = target.middle;
  if (target.kind !== "cell") return <Wall edge={{ at: [target.at[0], target.at[1]], side: target.kind, owner }} className="ghost" />;
  const shape = ghostShape(board, target, selected, owner);
  const side = PITCH - gap;
  return (
    <g class="ghost">
      {board.style === "squares" && <rect class="aim" x={x - side / 2} y={y - side / 2} width={side} height={side} rx={9} />}
      {shape && !dragged && (
        <g class="shadow" transform={`translate(${x} ${y})`}>
          <PieceShape shape={shape} owner={owner} />
        </g>
      )}
      {shape && board.style === "drop" && (
        <g class="in-hand" style={{ transform: `translate(${x}px, -46px) scale(0.82)` }}>
          <PieceShape shape={shape} owner={owner} />
        </g>
      )}
    </g>
  );
}

/** The shape that will stand on the target: of the piece that moves, or the only shape that this player has. */
function ghostShape(board: Board, target: Target, selected: Cell | null, owner: number): string | null {
  const source = selected ?? target.choices[0]?.source;
  if (source) return board.pieces.find((piece) => sameCell(piece.at, source) && piece.owner === owner)?.shape ?? null;
  if (board.style === "drop") return "disc";
  if (board.style === "points") return "stone";
  const shapes = new Set(board.pieces.filter((piece) => piece.owner === owner).map((piece) => piece.shape));
  const [only] = shapes;
  return shapes.size === 1 && only ? only : null;
}

function Dragged({ board, drag, owner }: { board: Board; drag: Drag; owner: number }) {
  const piece = board.pieces.find((one) => sameCell(one.at, drag.source) && one.owner === owner);
  if (!piece) return null;
  return (
    <g class="dragged" transform={`translate(${drag.at.x} ${drag.at.y})`}>
      <PieceShape shape={piece.shape} owner={piece.owner} />
    </g>
  );
}

interface QuestionProps {
  asked: Choice[];
  hint: boolean;
  onAct: (action: number) => void;
  onCancel: () => void;
}

/** What to say when a click could mean several actions. */
function Question({ asked, hint, onAct, onCancel }: QuestionProps) {
  if (hint) return <p class="board-note">Several pieces can go there: choose the piece first.</p>;
  if (!asked.length) return null;
  return (
    <div class="board-buttons" role="group" aria-label="Which move?">
      {asked.map((choice) => (
        <button key={choice.action} type="button" class="button" onClick={() => onAct(choice.action)}>
          {choice.label ?? choice.text}
        </button>
      ))}
      <button type="button" class="button quiet" onClick={onCancel}>
        Cancel
      </button>
    </div>
  );
}
