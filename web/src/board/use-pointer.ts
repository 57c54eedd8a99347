// Handles mouse, pen and touch input on a board: pointing, dragging pieces, and annotations with the right button.
import { useRef, useState } from "preact/hooks";
import type { RefObject } from "preact";
import type { Board } from "../api.gen.ts";
import { PITCH, cellAt } from "./geometry.ts";
import type { Cell, Point } from "./geometry.ts";
import type { Annotation } from "./annotations.tsx";
import { sourceAt } from "./targets.ts";

export interface Drag {
  source: Cell;
  from: Point;
  at: Point;
  /** Whether the pointer has moved far enough for a drag; otherwise the release is a click. */
  moved: boolean;
}

interface PointerProps {
  svg: RefObject<SVGSVGElement | null>;
  board: Board;
  active: boolean;
  sources: Cell[];
  /** Called with the point of a click, or of the release of the piece dragged from `lifted`. */
  onClick: (point: Point, lifted: Cell | null) => void;
  onAnnotation: (drawn: Annotation) => void;
  onRightClick: () => void;
}

export interface Pointing {
  drag: Drag | null;
  /** The cell whose piece is being dragged. */
  lifted: Cell | null;
  point: Point | null;
  letGo: () => void;
  handlers: Record<string, (event: PointerEvent) => void>;
}

const DRAG_STARTS = 0.12 * PITCH;
const RIGHT_BUTTON = 2;

export function usePointer({ svg, board, active, sources, onClick, onAnnotation, onRightClick }: PointerProps): Pointing {
  const [drag, setDrag] = useState<Drag | null>(null);
  const [point, setPoint] = useState<Point | null>(null);
  const drawnFrom = useRef<Cell | null>(null);
  const pressed = useRef(false); // whether the button was pressed on this board: only then is its release a click
  const lifted = drag?.moved ? drag.source : null;

  const locate = (event: PointerEvent): Point => {
    const matrix = svg.current?.getScreenCTM()?.inverse();
    return matrix ? new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix) : { x: -PITCH, y: -PITCH };
  };
  const letGo = () => {
    if (drag) pressed.current = false; // the release of a cancelled drag is not a click
    setDrag(null);
    setPoint(null);
  };
  const handlers = {
    onPointerDown: (event: PointerEvent) => {
      const here = locate(event);
      if (event.button === RIGHT_BUTTON) {
        drawnFrom.current = cellAt(board, here);
        onRightClick();
        return;
      }
      if (event.button !== 0) return;
      pressed.current = true;
      if (!active) return;
      event.preventDefault(); // a click must not move the keyboard focus
      svg.current?.setPointerCapture(event.pointerId);
      const source = sourceAt(board, sources, here);
      if (source) setDrag({ source, from: here, at: here, moved: false });
      setPoint(here);
    },
    onPointerMove: (event: PointerEvent) => {
      if (!active) return;
      const here = locate(event);
      if (drag) {
        const moved = drag.moved || Math.hypot(here.x - drag.from.x, here.y - drag.from.y) > DRAG_STARTS;
        setDrag({ ...drag, at: here, moved });
      }
      setPoint(here);
    },
    onPointerUp: (event: PointerEvent) => {
      const here = locate(event);
      if (event.button === RIGHT_BUTTON) {
        const to = cellAt(board, here);
        if (drawnFrom.current && to) onAnnotation({ from: drawnFrom.current, to });
        drawnFrom.current = null;
        return;
      }
      if (event.button !== 0 || !pressed.current) return;
      pressed.current = false;
      if (!active) return;
      setDrag(null);
      if (event.pointerType !== "mouse") setPoint(null);
      onClick(here, lifted);
    },
    onPointerCancel: () => {
      pressed.current = false;
      letGo();
    },
    onPointerLeave: () => {
      pressed.current = false; // during a drag, pointer capture delays this event until the release
      setPoint(null);
    },
    onContextMenu: (event: Event) => event.preventDefault(),
  };
  return { drag, lifted, point: active ? point : null, letGo, handlers };
}
