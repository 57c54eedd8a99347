// The picture of a bot: a face in the colour of its appearance, with features of its own.

interface AvatarProps {
  /** The bot's name, from which its features follow. */
  name: string;
  /** `color`, a CSS colour, is the colour of the face; other names are those of wallgame.io's pieces. */
  appearance: Record<string, string>;
}

const COLOUR = /^(#[0-9a-f]{3,8}|[a-z]{3,24})$/i;
const EARS = ["M-30-22L-34-44L-14-34Z M30-22L34-44L14-34Z", "M-34-14a13 13 0 1 1 16-18Z M34-14a13 13 0 1 0-16-18Z", "M-3-38V-50H3V-38Z M0-52m-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0Z", ""];
const MOUTHS = ["M-12 14Q0 26 12 14", "M-10 18H10", "M-12 16Q-6 22 0 16Q6 22 12 16", "M-12 20Q0 10 12 20"];
const EYES = [5, 4, 6];

export function Avatar({ name, appearance }: AvatarProps) {
  const seed = seedOf(name);
  const wanted = appearance["color"] ?? "";
  const colour = COLOUR.test(wanted) ? wanted : `hsl(${seed % 360} 45% 50%)`;
  const eye = EYES[seed % EYES.length] ?? 5;
  return (
    <svg class="avatar" viewBox="-50 -54 100 100" aria-hidden="true">
      <g fill={colour}>
        <path d={EARS[seed % EARS.length]} />
        <circle r={38} />
      </g>
      <g class="face">
        <circle cx={-14} cy={-6} r={eye} />
        <circle cx={14} cy={-6} r={eye} />
        <path d={MOUTHS[Math.floor(seed / 4) % MOUTHS.length]} />
      </g>
    </svg>
  );
}

/** Return a number that is always the same for a text. */
function seedOf(text: string): number {
  let seed = 7;
  for (const letter of text) seed = (seed * 31 + letter.charCodeAt(0)) % 1_000_003;
  return seed;
}
