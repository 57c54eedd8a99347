// The page's icons, as SVG paths drawn with one stroke width.

const PATHS = {
  start: "M18 6 10 12l8 6M6 6v12",
  back: "M15 6 8 12l7 6",
  forward: "M9 6l7 6-7 6",
  end: "M6 6l8 6-8 6M18 6v12",
  undo: "M8 5 4 9l4 4M4 9h10a5 5 0 0 1 0 10H9",
  flag: "M6 21V4M6 5c4-3 8 3 12 0v9c-4 3-8-3-12 0",
  again: "M5 12a7 7 0 1 0 2.2-5.1M5 4v4h4",
  link: "M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1.6 1.6M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1.6-1.6",
  done: "M5 13l4.5 4.5L19 7",
  turn: "M4 9a8.5 8.5 0 0 1 15-1M20 4v4.5h-4.5M20 15a8.5 8.5 0 0 1-15 1M4 20v-4.5h4.5",
  sound: "M4 9.5v5h3.5L12 19V5L7.5 9.5ZM15.5 9a4.5 4.5 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11",
  silence: "M4 9.5v5h3.5L12 19V5L7.5 9.5ZM16 9.5l5 5M21 9.5l-5 5",
  sliders: "M4 7h9M19 7h1M16 4.5v5M4 12h3M13 12h7M10 9.5v5M4 17h10M20 17h0M17 14.5v5",
  keys: "M3 7h18v10H3ZM6.5 10.5h.01M10 10.5h.01M13.5 10.5h.01M17 10.5h.01M8 14h8",
  chart: "M4 20V4M4 20h16M8 16v-4M12 16V8M16 16v-6",
  eye: "M2.5 12C6 6 18 6 21.5 12 18 18 6 18 2.5 12ZM12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5",
  clock: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16M12 8v4.5l3 2",
  plus: "M12 5v14M5 12h14",
  half: "M4 12h16M12 5v.01M12 19v.01",
  cross: "M6 6l12 12M18 6 6 18",
  save: "M12 4v11M7 10.5l5 5 5-5M5 20h14",
  play: "M8 5.5v13L19 12Z",
  pause: "M9 6v12M15 6v12",
  person: "M12 4.5a3.75 3.75 0 1 0 0 7.5 3.75 3.75 0 0 0 0-7.5M4.5 20c1-8 14-8 15 0",
  hand: "M8 13V6.5a1.5 1.5 0 0 1 3 0V11M11 11V4.5a1.5 1.5 0 0 1 3 0V11M14 11V6a1.5 1.5 0 0 1 3 0v8c0 4-2.5 6.5-6 6.5-3 0-4.5-1.5-6-4.5L4 13.5c-.7-1.6 1.2-2.6 2.2-1.3L8 14.5",
  wall: "M4 6h16v12H4ZM4 12h16M10 6v6M15 12v6",
  branch: "M7 20V4M7 15c0-5 9-3 9-9M4 7l3-3 3 3M13 9l3-3 3 3",
  search: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13M15.5 15.5 20 20",
  menu: "M4 7h16M4 12h16M4 17h16",
  talk: "M4 5h16v11H10l-4.5 4v-4H4Z",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
