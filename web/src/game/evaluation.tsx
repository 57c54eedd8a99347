// The engine's evaluation, from player 0's view: a bar beside the board, a graph over the game, and counts of errors.
import type { Board, GameState } from "../api.gen.ts";
import { Chip } from "../board/chip.tsx";
import { colourOf } from "../board/colours.ts";
import { ownerClass } from "../board/pieces.tsx";
import { chanceOf, percent, pointsOf } from "../chances.ts";
import { prefer, usePrefs } from "../prefs.ts";
import { Toggle } from "../toggle.tsx";
import type { Judgement } from "./judgement.ts";
import { tally } from "./judgement.ts";
import { nearestStop, playerOf } from "./words.ts";

interface BarProps {
  evaluation: number | null;
  /** The lead of player 0 in points; null in games without points. */
  lead?: number | null;
  /** The evaluation as a sentence. */
  words: string;
  /** The board, for the players' colours. */
  board: Board;
  /** The player shown at the bottom; that player's share of the bar is at the bottom too. */
  bottom: number;
}

export function EvaluationBar({ evaluation, lead = null, words, board, bottom }: BarProps) {
  const share = 50 + 50 * Math.max(-1, Math.min(1, evaluation ?? 0));
  return (
    <div class={`evaluation ${bottom === 1 ? "turned" : ""} ${evaluation === null ? "unknown" : ""}`} title={words}>
      <div
        class="evaluation-bar"
        role="meter"
        aria-label="Win chance"
        aria-valuemin={-1}
        aria-valuemax={1}
        aria-valuenow={evaluation ?? 0}
        aria-valuetext={words}
      >
        <div class={`share ${ownerClass(colourOf(board, 1))}`} style={{ flexBasis: `${100 - share}%` }} />
        <div class={`share ${ownerClass(colourOf(board, 0))}`} style={{ flexBasis: `${share}%` }} />
      </div>
      <span class="evaluation-number" aria-hidden="true">
        <span>
          <Chip owner={colourOf(board, bottom)} /> {evaluation === null ? "–" : chanceOf(evaluation, bottom)}
        </span>
        <small>{evaluation !== null && Math.abs(evaluation) >= 1 ? "for sure" : "win chance"}</small>
        {lead !== null && evaluation !== null && Math.abs(evaluation) < 1 && (
          <small>
            <Chip owner={colourOf(board, lead >= 0 ? 0 : 1)} /> {pointsOf(lead)}
          </small>
        )}
      </span>
    </div>
  );
}

/** The switch of the evaluation; `on` and `onToggle` replace the setting where it must not be remembered. */
export function EvaluationToggle({ on, onToggle }: { on?: boolean; onToggle?: (() => void) | undefined }) {
  const { evaluation } = usePrefs();
  const whether = on ?? evaluation;
  const change = onToggle ?? (() => prefer({ evaluation: !evaluation }));
  return <Toggle icon="chart" name="Evaluation" title="Show win chances, judged by the strongest engine" pressed={whether} onToggle={change} />;
}

interface GraphProps {
  state: GameState;
  /** The evaluations by ply. */
  evaluations: (number | null)[];
  ply: number;
  onPly: (ply: number) => void;
  /** The judgements of bad moves, by ply. */
  judged: Map<number, Judgement>;
}

const WIDTH = 300;
const HEIGHT = 72;
const MIDDLE = HEIGHT / 2;
const EDGE = 4;

export function EvaluationGraph({ state, evaluations, ply, onPly, judged }: GraphProps) {
  const last = Math.max(state.ply, 1);
  const x = (at: number) => EDGE + ((WIDTH - 2 * EDGE) * at) / last;
  const known = evaluations
    .map((value, at) => ({ at, value }))
    .filter((point): point is { at: number; value: number } => point.value !== null && point.at <= state.ply);
  const y = (value: number) => MIDDLE - value * (MIDDLE - EDGE);
  const line = known.map(({ at, value }) => `${x(at).toFixed(1)} ${y(value).toFixed(1)}`).join("L");
  const [first] = known;
  const end = known[known.length - 1];
  const area = `M${x(first?.at ?? 0).toFixed(1)} ${MIDDLE}L${line}L${x(end?.at ?? 0).toFixed(1)} ${MIDDLE}Z`;
  const cursor = known.find(({ at }) => at === ply);
  const onClick = (event: MouseEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    onPly(nearestStop(state, ((event.clientX - box.left) / box.width) * last));
  };
  return (
    <figure class="chances">
      <figcaption>
        <span>Win chance</span>
        {cursor && (
          <span>
            <Chip owner={colourOf(state.board, 0)} /> {chanceOf(cursor.value, 0)} <Chip owner={colourOf(state.board, 1)} /> {chanceOf(cursor.value, 1)}
          </span>
        )}
      </figcaption>
    <svg
      class="evaluation-graph"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`Win chance over the game: ${known.length} positions`}
      onClick={onClick}
    >
      <clipPath id="for-first">
        <rect x={0} y={0} width={WIDTH} height={MIDDLE} />
      </clipPath>
      <clipPath id="for-second">
        <rect x={0} y={MIDDLE} width={WIDTH} height={MIDDLE} />
      </clipPath>
      <path class="zero" d={`M0 ${MIDDLE}H${WIDTH}`} />
      {known.length > 1 && ( // otherwise the empty graph keeps the place of one with a line
        <>
          <path class={`area ${ownerClass(colourOf(state.board, 0))}`} d={area} clip-path="url(#for-first)" />
          <path class={`area ${ownerClass(colourOf(state.board, 1))}`} d={area} clip-path="url(#for-second)" />
          <path class="line" d={`M${line}`} />
        </>
      )}
      <path class="cursor" d={`M${x(ply).toFixed(1)} 0V${HEIGHT}`} />
      {known.map(({ at, value }) => {
        const one = judged.get(at);
        return one && <ellipse key={at} class={`slip ${one.kind}`} cx={x(at)} cy={y(value)} rx={3} ry={3} />;
      })}
      {cursor && <circle class="point" cx={x(cursor.at)} cy={y(cursor.value)} r={3} />}
    </svg>
    </figure>
  );
}

const PLURALS = { inaccuracy: "inaccuracies", mistake: "mistakes", blunder: "blunders" } as const;

const KINDS = ["inaccuracy", "mistake", "blunder"] as const;

interface SlipsProps {
  state: GameState;
  judged: Map<number, Judgement>;
  /** The accuracy of both sides in per cent, where a review knows it. */
  accuracy?: [number | null, number | null];
}

/** The number of each player's inaccuracies, mistakes and blunders. */
export function Slips({ state, judged, accuracy }: SlipsProps) {
  const counts = tally(state.moves, judged);
  return (
    <dl class={accuracy ? "slips accuracies" : "slips"} aria-label={accuracy ? "Accuracy" : "Errors"}>
      {([0, 1] as const).map((player) => (
        <div key={player}>
          <dt>
            <Chip owner={colourOf(state.board, player)} /> {playerOf(state, player).name}
          </dt>
          <dd>
            {typeof accuracy?.[player] === "number" && <strong>accuracy {percent(accuracy[player])}</strong>}
            {KINDS.every((kind) => counts[kind][player] === 0) && "no errors"}
            {KINDS.map((kind) => {
              const count = counts[kind][player];
              if (!count) return null;
              return (
                <span key={kind} class={`verdict ${kind}`}>
                  {count} {count === 1 ? kind : PLURALS[kind]}
                </span>
              );
            })}
          </dd>
        </div>
      ))}
    </dl>
  );
}
