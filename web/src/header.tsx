// The header of every page: navigation, who one is, the search for players, settings and the sound switch.
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "./icons.tsx";
import { usePerson } from "./identity.ts";
import { Lazily } from "./lazily.tsx";
import type { OnNotice } from "./notice.ts";
import { prefer, usePrefs } from "./prefs.ts";
import { pathOf } from "./ratings/words.ts";
import { YourTurn } from "./your-turn.tsx";

interface Place {
  path: string;
  name: string;
  /** Another path at which this link is the current one. */
  also?: string;
  /** Whether the link is in the menu of a narrow header. */
  inMenu?: boolean;
}

const PAGES: Place[] = [
  { path: "/", name: "Play" },
  { path: "/games", name: "Games" },
  { path: "/ratings", name: "Ratings", also: "/people", inMenu: true },
  { path: "/study", name: "Analysis", inMenu: true },
  { path: "/learn", name: "Learn", also: "/puzzles" },
];

const TRAINING: Place = { path: "/training", name: "Training", inMenu: true };

interface HeaderProps {
  path: string;
  /** Whether the site trains a network, which has a page of its own. */
  grows: boolean;
  /** Move the focus to the content below the header. */
  onSkip: () => void;
  onNotice: OnNotice;
}

export function Header({ path, grows, onSkip, onNotice }: HeaderProps) {
  const [searching, setSearching] = useState(false);
  const pages = grows ? [...PAGES, TRAINING] : PAGES;
  const link = (page: Place) => {
    const here = page.path === "/" ? path === "/" : path.startsWith(page.path) || (page.also && path.startsWith(page.also));
    return (
      <a key={page.path} class={page.inMenu ? "wide" : ""} href={page.path} aria-current={here ? "page" : undefined}>
        {page.name}
      </a>
    );
  };
  const search = () => setSearching(true);
  return (
    <header class="header">
      {/* a button, not a link to #content: the part after # holds a game or a line of moves */}
      <button type="button" class="skip" onClick={onSkip}>
        Skip to content
      </button>
      <a class="brand" href="/">
        <img src="/favicon.svg" alt="" width={30} height={30} /> <span>Ludus</span>
      </a>
      <nav aria-label="Pages">{pages.map(link)}</nav>
      <YourTurn path={path} />
      <button type="button" class="icon-button wide" aria-label="Find a player" title="Find a player" aria-haspopup="dialog" onClick={search}>
        <Icon name="search" />
        <small>Find</small>
      </button>
      <Person path={path} />
      <a class="icon-button wide" href="/settings" aria-label="Settings" title="Settings" aria-current={path === "/settings" ? "page" : undefined}>
        <Icon name="sliders" />
        <small>Settings</small>
      </a>
      <Sounds />
      <Menu key={path} pages={pages.filter(({ inMenu }) => inMenu)} onSearch={search} />
      {searching && (
        <Lazily load={() => import("./search/player-search.tsx")} onNotice={onNotice} onFail={() => setSearching(false)}>
          {({ PlayerSearch }) => <PlayerSearch onClose={() => setSearching(false)} />}
        </Lazily>
      )}
    </header>
  );
}

/** One's name, or the way to log in; its place is kept until the site has answered. */
function Person({ path }: { path: string }) {
  const person = usePerson();
  if (!person) return <span class="me" />;
  const href = person.account ? pathOf(person.name) : "/settings";
  return (
    <a class="me" href={href} title={person.account ? "Your page" : `You are ${person.name}`} aria-current={path === href ? "page" : undefined}>
      {person.account ? person.name : "Log in"}
    </a>
  );
}

function Sounds() {
  const { sound } = usePrefs();
  return (
    <button
      type="button"
      class="icon-button wide"
      aria-label="Sounds"
      title={sound ? "Sounds are on" : "Sounds are off"}
      aria-pressed={sound}
      onClick={() => prefer({ sound: !sound })}
    >
      <Icon name={sound ? "sound" : "silence"} />
      <small>Sounds</small>
    </button>
  );
}

/** What a narrow header has no room for. */
function Menu({ pages, onSearch }: { pages: Place[]; onSearch: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const { sound } = usePrefs();
  const part = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    const onPress = (event: Event) => part.current?.contains(event.target as Node) || setOpen(false);
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      setOpen(false);
      button.current?.focus();
    };
    addEventListener("pointerdown", onPress);
    addEventListener("keydown", onKey);
    return () => {
      removeEventListener("pointerdown", onPress);
      removeEventListener("keydown", onKey);
    };
  }, [isOpen]);
  return (
    <div ref={part} class="menu">
      <button ref={button} type="button" class="icon-button" aria-label="Menu" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <Icon name="menu" />
        <small>Menu</small>
      </button>
      {isOpen && (
        <nav class="menu-list" aria-label="More pages">
          {pages.map(({ path, name }) => (
            <a key={path} href={path}>
              {name}
            </a>
          ))}
          <button
            type="button"
            onClick={() => {
              setOpen(false);
              onSearch();
            }}
          >
            Find a player
          </button>
          <a href="/settings">Settings</a>
          <button type="button" aria-pressed={sound} onClick={() => prefer({ sound: !sound })}>
            {sound ? "Sounds are on" : "Sounds are off"}
          </button>
        </nav>
      )}
    </div>
  );
}
