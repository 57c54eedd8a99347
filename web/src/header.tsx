// The bar on top of every page: where one is and where one can go.
import { Icon } from "./icons.tsx";
import { prefer, usePrefs } from "./prefs.ts";

const PAGES = [
  { path: "/", name: "Play" },
  { path: "/games", name: "Games" },
  { path: "/ratings", name: "Ratings", also: "/people", look: "wide" },
  { path: "/study", name: "Analysis" },
  { path: "/learn", name: "Learn", also: "/puzzles" },
];

interface HeaderProps {
  path: string;
  /** Go to what is below the bar. */
  onSkip: () => void;
}

export function Header({ path, onSkip }: HeaderProps) {
  const { sound } = usePrefs();
  return (
    <header class="header">
      {/* no link: what follows the # in an address is a game or a line of moves */}
      <button type="button" class="skip" onClick={onSkip}>
        To the content
      </button>
      <a class="brand" href="/">
        <img src="/favicon.svg" alt="" width={30} height={30} /> <span>Ludus</span>
      </a>
      <nav aria-label="Pages">
        {PAGES.map((page) => {
          const here = page.path === "/" ? path === "/" : path.startsWith(page.path) || (page.also && path.startsWith(page.also));
          return (
            <a key={page.path} class={page.look} href={page.path} aria-current={here ? "page" : undefined}>
              {page.name}
            </a>
          );
        })}
      </nav>
      <a class="icon-button" href="/settings" aria-label="Settings" title="Settings" aria-current={path === "/settings" ? "page" : undefined}>
        <Icon name="sliders" />
      </a>
      <button
        type="button"
        class="icon-button"
        aria-label="Sounds"
        title={sound ? "Sounds are on" : "Sounds are off"}
        aria-pressed={sound}
        onClick={() => prefer({ sound: !sound })}
      >
        <Icon name={sound ? "sound" : "silence"} />
      </button>
    </header>
  );
}
