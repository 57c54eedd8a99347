// The pop-up at a clicked cell that asks which of several actions is meant, or confirms a single one.
import { useEffect, useRef } from "preact/hooks";
import type { Choice } from "../api.gen.ts";
import { useReturn } from "../keyboard.ts";
import type { Frame, Point } from "./geometry.ts";
import { PieceShape, hasShape } from "./pieces.tsx";

/** Return the name of a choice in move notation. */
const moveName = (choice: Choice) => choice.move ?? choice.label ?? choice.text;

interface QuestionProps {
  asked: Choice[];
  /** The clicked point, in drawing units. */
  at: Point;
  frame: Frame;
  owner: number | null;
  onAct: (action: number) => void;
  onCancel: () => void;
}

export function Question({ asked, at, frame, owner, onAct, onCancel }: QuestionProps) {
  const group = useRef<HTMLDivElement>(null);
  useReturn(group);
  useEffect(() => group.current?.querySelector("button")?.focus(), [asked]);
  const left = (100 * (at.x + frame.left)) / frame.width;
  const top = (100 * (at.y + frame.top)) / frame.height;
  const confirming = asked.length === 1;
  return (
    <div
      ref={group}
      class="question"
      role="group"
      aria-label={confirming ? (asked[0]?.ask ?? "Play this?") : "Which move?"}
      // shifted towards the middle, so that the pop-up stays on the board
      style={{ left: `${left}%`, top: `${top}%`, transform: `translate(${-left}%, ${-top}%)` }}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === "Escape") onCancel();
      }}
    >
      {confirming && asked[0]?.ask && <p>{asked[0].ask}</p>}
      {asked.map((choice) => {
        const name = confirming ? moveName(choice) : (choice.label ?? choice.text);
        return (
          <button
            key={choice.action}
            type="button"
            class="button"
            aria-label={`${confirming ? "Play " : ""}${name}`}
            title={name}
            onClick={() => onAct(choice.action)}
          >
            {!confirming && hasShape(name) ? (
              <svg class="board" viewBox="-50 -50 100 100" aria-hidden="true">
                <PieceShape shape={name} owner={owner} />
              </svg>
            ) : confirming ? (
              `Play ${name}`
            ) : (
              name
            )}
          </button>
        );
      })}
      <button type="button" class="button quiet" aria-label="Cancel" title="Cancel" onClick={onCancel}>
        ×
      </button>
    </div>
  );
}
