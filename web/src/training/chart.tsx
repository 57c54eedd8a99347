// A line chart over generations, with error bars; each point tells its value.
import { ticks } from "./scale.ts";

export interface Point {
  x: number;
  y: number;
  /** Half the width of the 95 % interval. */
  error?: number;
}

interface ChartProps {
  title: string;
  lines: { name: string; points: Point[] }[];
}

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [460, 220, 52, 10, 10, 26];

export function Chart({ title, lines }: ChartProps) {
  const points = lines.flatMap((line) => line.points);
  if (!points.length) return null;
  const rows = ticks(Math.min(...points.map(({ y, error = 0 }) => y - error)), Math.max(...points.map(({ y, error = 0 }) => y + error)));
  const [low = 0, high = 1] = [rows[0], rows.at(-1)];
  const last = Math.max(...points.map(({ x }) => x), 1);
  const across = (x: number) => LEFT + 6 + ((WIDTH - LEFT - RIGHT - 12) * x) / last;
  const down = (y: number) => HEIGHT - BOTTOM - ((HEIGHT - TOP - BOTTOM) * (y - low)) / (high - low);
  const columns = ticks(0, last, 8).filter((x) => Number.isInteger(x) && x <= last);
  return (
    <figure class="chart">
      <figcaption>
        {title}
        {lines.length > 1 && (
          <span class="legend">
            {lines.map(({ name }, index) => (
              <span key={name} class={`line-${index}`}>
                {name}
              </span>
            ))}
          </span>
        )}
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${title} by generation`}>
        {rows.map((y) => (
          <g key={y}>
            <line class="grid" x1={LEFT} x2={WIDTH - RIGHT} y1={down(y)} y2={down(y)} />
            <text x={LEFT - 6} y={down(y) + 4} text-anchor="end">
              {y}
            </text>
          </g>
        ))}
        {columns.map((x) => (
          <text key={x} x={across(x)} y={HEIGHT - 8} text-anchor="middle">
            {x}
          </text>
        ))}
        {lines.map((line, index) => (
          <g key={line.name} class={`line-${index}`}>
            <polyline points={line.points.map(({ x, y }) => `${across(x)},${down(y)}`).join(" ")} />
            {line.points.map(({ x, y, error }) => (
              <g key={x}>
                {error ? <line x1={across(x)} x2={across(x)} y1={down(y - error)} y2={down(y + error)} /> : null}
                <circle cx={across(x)} cy={down(y)} r={3}>
                  <title>{`${line.name}, generation ${x}: ${Number(y.toPrecision(4))}${error ? ` ± ${error.toFixed(0)}` : ""}`}</title>
                </circle>
              </g>
            ))}
          </g>
        ))}
      </svg>
    </figure>
  );
}
