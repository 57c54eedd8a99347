// The drawings of the pieces, each centred on (0, 0) in a box 100 wide; the owner's CSS class sets the colour.
import type { ComponentChildren } from "preact";

/** Draws a piece; a shape without a drawing becomes a counter with a text. */
export function PieceShape({ shape, owner }: { shape: string; owner: number | null }) {
  const draw = SHAPES[shape];
  return <g class={ownerClass(owner)}>{draw ? draw(owner) : <Counter text={textOf(shape)} />}</g>;
}

/** Return the text of a counter: a number or one or two characters themselves, else the initial. */
function textOf(shape: string): string {
  const letters = [...shape]; // whole characters, also those of two code units
  return letters.length <= 2 || /^\d+$/.test(shape) ? shape : (letters[0] ?? "").toUpperCase();
}

/** Return the size of a text that fits into a piece. */
export function sizeOf(text: string): number {
  return Math.min(44, 100 / [...text].length);
}

export function hasShape(name: string): boolean {
  return name in SHAPES;
}

export function ownerClass(owner: number | null): string {
  return owner === null ? "owner-none" : `owner-${owner}`;
}

const SHAPES: Record<string, (owner: number | null) => ComponentChildren> = {
  disc: (owner) => <Disc owner={owner} />,
  stone: () => <Stone />,
  seed: () => <circle class="fill seed" r="12" />,
  cross: () => <path class="stroke" d="M-25-25 25 25M25-25-25 25" />,
  nought: () => <circle class="stroke" r="27" />,
  cat: (owner) => <Cat striped={owner === 1} />,
  mouse: () => <Mouse />,
  elephant: () => <Elephant />,
  dog: () => <Dog />,
  home: () => <Home />,
  pawn: (owner) => (
    <Chessman owner={owner} body="M0-33A13 13 0 0 1 8.5-10.2C14-9 14-5 9-4.5 9.5 6 12 14 17 23H-17C-12 14-9.5 6-9-4.5-14-5-14-9-8.5-10.2A13 13 0 0 1 0-33Z" />
  ),
  knight: (owner) => (
    <Chessman
      owner={owner}
      body="M-19 23C-21 8-6 2-5-8-11-3-16-2-20 1-26 4-31-1-29-7-25-15-20-20-17-29L-18-39-9-33-5-40 1-32C20-30 29-8 24 23Z"
      detail="M-13-20V-19M5-24C14-18 17-6 16 8"
    />
  ),
  bishop: (owner) => (
    <Chessman
      owner={owner}
      body="M0-42A5 5 0 0 1 4-34C17-24 20-12 11-3 16-2 16 2 11 3 11 11 14 17 18 23H-18C-14 17-11 11-11 3-16 2-16-2-11-3-20-12-17-24-4-34A5 5 0 0 1 0-42Z"
      detail="M7-25-1-14M-9 3H9"
    />
  ),
  rook: (owner) => (
    <Chessman
      owner={owner}
      body="M-25-37H-14V-29H-6V-37H6V-29H14V-37H25V-19L17-12C17 2 18 14 20 23H-20C-18 14-17 2-17-12L-25-19Z"
      detail="M-15-12H15"
    />
  ),
  queen: (owner) => (
    <Chessman
      owner={owner}
      body="M-34-28A4.5 4.5 0 0 1-28-22L-17-4-14-33A4.5 4.5 0 1 1-8-33L0-8 8-33A4.5 4.5 0 1 1 14-33L17-4 28-22A4.5 4.5 0 0 1 34-28C30-10 24 4 22 23H-22C-24 4-30-10-34-28Z"
      detail="M-19 12C-8 8 8 8 19 12"
    />
  ),
  king: (owner) => (
    <Chessman
      owner={owner}
      body="M-4-45H4V-38H11V-30H4V-25C8-24 8-20 6-17 20-27 38-15 29 2 25 9 23 15 22 23H-22C-23 15-25 9-29 2-38-15-20-27-6-17-8-20-8-24-4-25V-30H-11V-38H-4Z"
      detail="M-18 12C-7 8 7 8 18 12M0-12V2"
    />
  ),
};

/** A chess piece on a base; the second player's base has a stripe. */
function Chessman({ owner, body, detail }: { owner: number | null; body: string; detail?: string }) {
  return (
    <g class="tall">
      <g transform="translate(0 2) scale(1.14)">
        <path class="fill" d={body} />
        <path class="fill" d="M-22 23H22L27 37H-27Z" />
        {detail && <path class="relief-line" d={detail} />}
        {owner === 1 && <path class="relief-line" d="M-15 30H15" />}
      </g>
    </g>
  );
}

/** A disc with a ring for the first player and a star for the second, so that they differ without colour. */
function Disc({ owner }: { owner: number | null }) {
  return (
    <g class="round">
      <circle class="fill" r="43" />
      <circle class="shade-line" r="38" />
      {owner === 1 ? <path class="relief" d={STAR} /> : <circle class="relief-line" r="20" />}
    </g>
  );
}

const STAR = "M0-25 6.5-8.5 24-7.7 10.4 3.4 14.9 20.2 0 10.8-14.9 20.2-10.4 3.4-24-7.7-6.5-8.5Z";

function Stone() {
  return (
    <g class="round">
      <circle class="fill" r="46" />
      <path class="shine" d="M-30-12A32 32 0 0 1-8-31" />
    </g>
  );
}

/** A cat; the second player's is a tabby. */
function Cat({ striped }: { striped: boolean }) {
  return (
    <>
      <path
        class="fill"
        d="M-33-8-35-35C-35-41-30-43-26-39L-13-27C-5-30 5-30 13-27L26-39C30-43 35-41 35-35L33-8C37-1 38 5 37 12 34 30 17 39 0 39-17 39-34 30-37 12-38 5-37-1-33-8Z"
      />
      <path class="relief" d="M-28-30-27-14-17-22ZM28-30 27-14 17-22Z" />
      {striped && <path class="relief-line" d="M0-26V-13M-10-24-8-15M10-24 8-15" />}
      <ellipse class="eye" cx="-15" cy="3" rx="6" ry="8" />
      <ellipse class="eye" cx="15" cy="3" rx="6" ry="8" />
      <path class="pupil" d="M-15-4C-13-1-13 7-15 10-17 7-17-1-15-4ZM15-4C17-1 17 7 15 10 13 7 13-1 15-4Z" />
      <path class="eye" d="M-5 16H5L0 21Z" />
      <path class="whisker" d="M0 21V25M0 25C-3 29-8 29-10 26M0 25C3 29 8 29 10 26M-20 19-40 15M-20 23-39 27M20 19 40 15M20 23 39 27" />
    </>
  );
}

function Mouse() {
  return (
    <>
      <circle class="fill" cx="-24" cy="-19" r="18" />
      <circle class="fill" cx="24" cy="-19" r="18" />
      <circle class="relief" cx="-24" cy="-19" r="10" />
      <circle class="relief" cx="24" cy="-19" r="10" />
      <path class="fill" d="M0-22C18-22 28-8 25 7 22 22 10 33 0 37-10 33-22 22-25 7-28-8-18-22 0-22Z" />
      <circle class="pupil" cx="-10" cy="3" r="4.5" />
      <circle class="pupil" cx="10" cy="3" r="4.5" />
      <circle class="eye" cx="0" cy="33" r="5" />
      <path class="whisker" d="M-8 25-27 22M-8 28-25 32M8 25 27 22M8 28 25 32" />
    </>
  );
}

/** An elephant from the front: two large ears, tusks, and a trunk that curls at its end. */
function Elephant() {
  return (
    <>
      <path class="fill" d="M-17-22C-27-38-46-31-46-8-46 10-34 22-22 15ZM17-22C27-38 46-31 46-8 46 10 34 22 22 15Z" />
      <path class="relief" d="M-23-17C-30-25-39-20-39-7-39 4-32 11-25 9ZM23-17C30-25 39-20 39-7 39 4 32 11 25 9Z" />
      <path
        class="fill"
        d="M0-36C18-36 27-22 25-4 24 8 17 15 11 18L10 27C9 34 18 35 19 28L25 29C24 43-1 44-2 28L-4 20C-16 18-25 10-25-4-27-22-18-36 0-36Z"
      />
      <circle class="pupil" cx="-11" cy="-8" r="4.5" />
      <circle class="pupil" cx="11" cy="-8" r="4.5" />
      <path class="eye" d="M-16 12C-20 22-17 30-10 32-14 26-13 20-10 15ZM15 12C22 18 25 22 32 20 26 18 22 13 19 8Z" />
      <path class="whisker" d="M-3 5H8M-2 12H9" />
    </>
  );
}

/** A dog with hanging ears and its tongue out. */
function Dog() {
  return (
    <>
      <path class="fill" d="M0-33C20-33 28-19 26-2 24 18 14 33 0 33-14 33-24 18-26-2-28-19-20-33 0-33Z" />
      <path class="fill" d="M-16-30C-34-38-44-22-41-2-39 10-30 12-27 2-25-8-24-18-16-30ZM16-30C34-38 44-22 41-2 39 10 30 12 27 2 25-8 24-18 16-30Z" />
      <path class="relief" d="M0-4C11-4 17 5 15 15 13 25 6 28 0 28-6 28-13 25-15 15-17 5-11-4 0-4Z" />
      <circle class="pupil" cx="-12" cy="-10" r="4.5" />
      <circle class="pupil" cx="12" cy="-10" r="4.5" />
      <path class="eye" d="M-6 26H6V35C6 42-6 42-6 35Z" />
      <path class="pupil" d="M-8 3C-8-2 8-2 8 3 8 7 3 10 0 11-3 10-8 7-8 3Z" />
      <path class="whisker" d="M0 11V19M0 19C-4 24-10 23-12 20M0 19C4 24 10 23 12 20" />
    </>
  );
}

/** A house that marks a cell: outlined, so that a piece on it stands out. */
function Home() {
  return (
    <>
      <path class="tint" d="M-25-6V33H25V-6L0-29Z" />
      <path class="outline" d="M-25-4V31Q-25 34-22 34H22Q25 34 25 31V-4" />
      <path class="outline" d="M-37 1 0-33 37 1" />
      <path class="fill" d="M-9 34V19A9 9 0 0 1 9 19V34Z" />
    </>
  );
}

function Counter({ text }: { text: string }) {
  const size = sizeOf(text);
  return (
    <>
      <circle class="fill" r="38" />
      <text class="letter" y={0.35 * size} font-size={size}>
        {text}
      </text>
    </>
  );
}
