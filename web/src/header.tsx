// The header of every page: navigation, settings and the sound switch.
import { Icon } from "./icons.tsx";
import { prefer, usePrefs } from "./prefs.ts";

interface Place {
  path: string;
  name: string;
  /** Another path at which this link is the current one. */
  also?: string;
  look?: string;
}

const PAGES: Place[] = [
  { path: "/", name: "Play" },
  { path: "/games", name: "Games" },
  { path: "/ratings", name: "Ratings", also: "/people", look: "wide" },
  { path: "/study", name: "Analysis" },
  { path: "/learn", name: "Learn", also: "/puzzles" },
];

const SPARED = ["/study", "/learn"]; // phones have no room for these beside the training page
const TRAINING: Place = { path: "/training", name: "Training" };

const WITH_TRAINING = [...PAGES.map((page) => (SPARED.includes(page.path) ? { ...page, look: "wide" } : page)), TRAINING];

interface HeaderProps {
  path: string;
  /** Whether the site trains a network, which has a page of its own. */
  grows: boolean;
  /** Move the focus to the content below the header. */
  onSkip: () => void;
}

export function Header({ path, grows, onSkip }: HeaderProps) {
  const { sound } = usePrefs();
  return (
    <header class="header">
      {/* a button, not a link to #content: the part after # holds a game or a line of moves */}
      <button type="button" class="skip" onClick={onSkip}>
        Skip to content
      </button>
      <a class="brand" href="/">
        <img src="/favicon.svg" alt="" width={30} height={30} /> <span>Ludus</span>
      </a>
      <nav aria-label="Pages">
        {(grows ? WITH_TRAINING : PAGES).map((page) => {
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
