// The drawings of the pieces, each around (0, 0) in a box 100 wide; colour comes from the owner's class.
import type { ComponentChildren } from "preact";

/** A piece's drawing; a shape without its own drawing is a counter with its initial. */
export function PieceShape({ shape, owner }: { shape: string; owner: number | null }) {
  const draw = SHAPES[shape];
  return <g class={ownerClass(owner)}>{draw ? draw(owner) : <Counter letter={shape.charAt(0).toUpperCase()} />}</g>;
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
  cross: () => <path class="stroke" d="M-25-25 25 25M25-25-25 25" />,
  nought: () => <circle class="stroke" r="27" />,
  cat: (owner) => <Cat striped={owner === 1} />,
  mouse: () => <Mouse />,
  home: () => <Home />,
  pawn: (owner) => <Chessman owner={owner} body="M-9-8H9L16 20H-16ZM0-36A14 14 0 0 1 0-8 14 14 0 0 1 0-36Z" />,
  knight: (owner) => (
    <Chessman owner={owner} body="M-18 20C-20 4-2-2-5-11L-21-2-29-11-14-29-11-39 1-32C22-28 28-4 20 20Z" detail="M-9-22V-20" />
  ),
  bishop: (owner) => <Chessman owner={owner} body="M0-40C19-22 16-6 8 2L14 20H-14L-8 2C-16-6-19-22 0-40Z" detail="M7-24 0-14" />,
  rook: (owner) => <Chessman owner={owner} body="M-25-36H-14V-28H-6V-36H6V-28H14V-36H25V-17H17L20 20H-20L-17-17H-25Z" />,
  queen: (owner) => <Chessman owner={owner} body="M-33-25-17-8-12-36 0-12 12-36 17-8 33-25 21 20H-21Z" />,
  king: (owner) => (
    <Chessman owner={owner} body="M-4-42H4V-34H12V-26H4V-18C20-26 38-14 26 4L18 20H-18L-26 4C-38-14-20-26-4-18V-26H-12V-34H-4Z" />
  ),
};

/** A piece on a base; the second player's base carries a stripe. */
function Chessman({ owner, body, detail }: { owner: number | null; body: string; detail?: string }) {
  return (
    <>
      <path class="fill" d={body} />
      <path class="fill" d="M-26 23H26V37H-26Z" />
      {detail && <path class="relief-line" d={detail} />}
      {owner === 1 && <path class="relief-line" d="M-18 30H18" />}
    </>
  );
}

/** The first player's disc carries a ring, the second's a star: told apart without colour. */
function Disc({ owner }: { owner: number | null }) {
  return (
    <>
      <circle class="fill" r="43" />
      <circle class="shade-line" r="38" />
      {owner === 1 ? <path class="relief" d={STAR} /> : <circle class="relief-line" r="20" />}
    </>
  );
}

const STAR = "M0-25 6.5-8.5 24-7.7 10.4 3.4 14.9 20.2 0 10.8-14.9 20.2-10.4 3.4-24-7.7-6.5-8.5Z";

function Stone() {
  return (
    <>
      <circle class="fill" r="46" />
      <path class="relief-line" d="M-30-12A32 32 0 0 1-8-31" />
    </>
  );
}

/** The second player's cat is a tabby. */
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

/** A place rather than a piece: outlined, so that a piece upon it stands out. */
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

function Counter({ letter }: { letter: string }) {
  return (
    <>
      <circle class="fill" r="38" />
      <text class="letter" y="15">
        {letter}
      </text>
    </>
  );
}
