// The places of a board for the keyboard and for screen readers: one focusable element each, arrow keys go between them.
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Board } from "../api.gen.ts";
import { PITCH, cellName, centre, sameCell } from "./geometry.ts";
import type { Cell, Point } from "./geometry.ts";
import { choicesFrom, neighbour } from "./targets.ts";
import type { Target } from "./targets.ts";

interface PlacesProps {
  board: Board;
  targets: Target[];
  sources: Cell[];
  selected: Cell | null;
  /** Where the keyboard made its latest choice: it goes on from there when the turn comes back. */
  keyboardAt: RefObject<string | null>;
  /** Called with a target's key when the keyboard comes to it, and with null when it leaves. */
  onFocus: (key: string | null) => void;
  onChoose: (target: Target | null, source: Cell | null) => void;
}

interface Place {
  key: string;
  name: string;
  middle: Point;
  width: number;
  height: number;
  target: Target | null;
  source: Cell | null;
}

export function Places({ board, targets, sources, selected, keyboardAt, onFocus, onChoose }: PlacesProps) {
  const group = useRef<SVGGElement>(null);
  const [current, setCurrent] = useState<string | null>(keyboardAt.current);
  const places = placesOf(board, targets, sources, selected);
  const entry = places.find((place) => place.key === current) ?? places[0];

  const focus = (key: string) => group.current?.querySelector<SVGElement>(`[data-place="${key}"]`)?.focus();
  useEffect(() => {
    if (keyboardAt.current && entry && document.activeElement === document.body) focus(entry.key);
  }, []);

  const onKeyDown = (event: KeyboardEvent, place: Place) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      keyboardAt.current = place.key;
      onChoose(place.target, place.source);
      return;
    }
    const next = neighbour(place, places, event.key);
    if (!event.key.startsWith("Arrow")) return;
    event.preventDefault();
    event.stopPropagation(); // elsewhere, the arrow keys walk through the game
    if (!next) return;
    setCurrent(next.key);
    focus(next.key);
  };
  return (
    <g ref={group} class="places">
      {places.map((place) => (
        <rect
          key={place.key}
          class="place"
          data-place={place.key}
          role="button"
          aria-label={place.name}
          tabindex={place === entry ? 0 : -1}
          x={place.middle.x - place.width / 2}
          y={place.middle.y - place.height / 2}
          width={place.width}
          height={place.height}
          rx={9}
          onFocus={() => {
            setCurrent(place.key);
            onFocus(place.target?.key ?? null);
          }}
          onBlur={() => onFocus(null)}
          onKeyDown={(event: KeyboardEvent) => onKeyDown(event, place)}
          onClick={(event: MouseEvent) => event.detail === 0 && onChoose(place.target, place.source)}
        />
      ))}
    </g>
  );
}

function placesOf(board: Board, targets: Target[], sources: Cell[], selected: Cell | null): Place[] {
  const places = targets.map((target): Place => {
    const source = sources.find((cell) => target.kind === "cell" && sameCell(cell, target.at)) ?? null;
    const [width, height] = target.kind === "right" ? [30, 90] : target.kind === "top" ? [90, 30] : [90, 90];
    const [choice] = choicesFrom(target, selected);
    const verb = target.kind === "cell" ? "Play" : "Wall";
    const name = source && !selected ? selectName(board, source) : `${verb} ${choice?.text ?? ""}`;
    return { key: target.key, name, middle: target.middle, width, height, target, source };
  });
  for (const source of sources) {
    if (places.some((place) => place.source === source)) continue;
    places.push({
      key: `source-${source[0]}-${source[1]}`,
      name: selectName(board, source),
      middle: centre(source),
      width: 0.9 * PITCH,
      height: 0.9 * PITCH,
      target: null,
      source,
    });
  }
  return places.sort((a, b) => a.middle.y - b.middle.y || a.middle.x - b.middle.x);
}

function selectName(board: Board, source: Cell): string {
  const piece = board.pieces.find((one) => sameCell(one.at, source));
  return `Select ${piece?.shape ?? "piece"} on ${cellName(board, source)}`;
}
