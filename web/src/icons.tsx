// The page's few icons, drawn with one stroke width.

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
} as const;

export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
