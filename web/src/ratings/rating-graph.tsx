// The graph of a person's rating: one line, from the first of the latest rated games to the last.
import { useState } from "preact/hooks";
import { useAnswer } from "../answer.ts";
import type { RatingInfo, RatingPoint } from "../api.gen.ts";
import type { Offered } from "../catalogue.ts";
import { Choice } from "../choice.tsx";
import { ratingHistory } from "../people.ts";
import { ticks } from "../training/scale.ts";
import { ratedWords, speedWord } from "./words.ts";

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [640, 240, 72, 14, 16, 36];
const MOST_DOTS = 60; // with more points, the line shows them well enough

export function RatingGraphs({ name, ratings, offered }: { name: string; ratings: RatingInfo[]; offered: Offered }) {
  const [chosen, setChosen] = useState(0);
  const rating = ratings[chosen] ?? ratings[0];
  const { found, error } = useAnswer(() => (rating ? ratingHistory(name, rating.game, rating.timeClass) : null), [name, rating?.game, rating?.timeClass]);
  if (!rating) return null;
  const titleOf = ({ game, timeClass }: RatingInfo) => `${ratedWords(offered, game)}, ${speedWord(timeClass).toLowerCase()}`;
  return (
    <>
      {ratings.length > 1 && (
        <Choice title="Graph of" value={String(chosen)} options={ratings.map((one, index) => ({ value: String(index), name: titleOf(one) }))} onChange={(value) => setChosen(Number(value))} />
      )}
      {error && <p class="line-lost">{error.message}</p>}
      {found && <RatingGraph points={found} title={titleOf(rating)} />}
    </>
  );
}

const dayOf = ({ at }: RatingPoint) => new Date(at * 1000).toLocaleDateString();

function RatingGraph({ points, title }: { points: RatingPoint[]; title: string }) {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return null;
  const values = points.map(({ rating }) => rating);
  const rows = ticks(Math.min(...values) - 10, Math.max(...values) + 10);
  const [low = 0, high = 1] = [rows[0], rows.at(-1)];
  const across = (index: number) => LEFT + (points.length > 1 ? ((WIDTH - LEFT - RIGHT) * index) / (points.length - 1) : (WIDTH - LEFT - RIGHT) / 2);
  const down = (rating: number) => HEIGHT - BOTTOM - ((HEIGHT - TOP - BOTTOM) * (rating - low)) / (high - low);
  const words = `${title}: ${first.rating} on ${dayOf(first)}, ${last.rating} on ${dayOf(last)}, between ${Math.min(...values)} and ${Math.max(...values)}.`;
  return (
    <figure class="rating-graph">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={words}>
        {rows.map((rating) => (
          <g key={rating}>
            <line class="grid" x1={LEFT} x2={WIDTH - RIGHT} y1={down(rating)} y2={down(rating)} />
            <text x={LEFT - 8} y={down(rating) + 5} text-anchor="end">
              {rating}
            </text>
          </g>
        ))}
        <text x={LEFT} y={HEIGHT - 6}>
          {dayOf(first)}
        </text>
        {points.length > 1 && (
          <text x={WIDTH - RIGHT} y={HEIGHT - 6} text-anchor="end">
            {dayOf(last)}
          </text>
        )}
        <polyline points={points.map(({ rating }, index) => `${across(index)},${down(rating)}`).join(" ")} />
        {points.length <= MOST_DOTS &&
          points.map(({ gameId, rating, at }, index) => (
            <circle key={gameId} cx={across(index)} cy={down(rating)} r={4}>
              <title>{`${rating} on ${new Date(at * 1000).toLocaleDateString()}`}</title>
            </circle>
          ))}
      </svg>
      <figcaption class="quiet-note">{points.length === 1 ? "After 1 rated game" : `After each of the latest ${points.length} rated games`}</figcaption>
    </figure>
  );
}
