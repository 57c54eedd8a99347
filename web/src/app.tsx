// The root component: selects the page for an address and shows notices above it.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { decoded, gamePath } from "./address.ts";
import { GamePage } from "./game/game.tsx";
import { GamesPage } from "./games/games.tsx";
import { Header } from "./header.tsx";
import { lazyPage } from "./lazily.tsx";
import { Landing } from "./landing/landing.tsx";
import { InboxCards } from "./lobby/inbox-cards.tsx";
import { keepInbox } from "./lobby/inbox.ts";
import type { OnNotice } from "./notice.ts";
import { Notices } from "./notices.tsx";
import type { Said } from "./notices.tsx";
import { Refused } from "./refused.tsx";
import { PersonPage } from "./ratings/person.tsx";
import { RatingsPage } from "./ratings/ratings.tsx";

const LessonPage = lazyPage(() => import("./learn/learn.tsx"), (part) => part.LessonPage);
const LearnPage = lazyPage(() => import("./learn/learn.tsx"), (part) => part.LearnPage);
const PuzzlePage = lazyPage(() => import("./puzzles/puzzles.tsx"), (part) => part.PuzzlePage);
const PuzzlesPage = lazyPage(() => import("./puzzles/puzzles.tsx"), (part) => part.PuzzlesPage);
const ReplayPage = lazyPage(() => import("./replay/replay.tsx"), (part) => part.ReplayPage);
const SharedPage = lazyPage(() => import("./replay/replay.tsx"), (part) => part.SharedPage);
const StudyPage = lazyPage(() => import("./study/study-page.tsx"), (part) => part.StudyPage);
const TrainingPage = lazyPage(() => import("./training/training.tsx"), (part) => part.TrainingPage);
const OperatorPage = lazyPage(() => import("./operator/operator.tsx"), (part) => part.OperatorPage);
const MailPage = lazyPage(() => import("./mail/mail-page.tsx"), (part) => part.MailPage);
const SettingsPage = lazyPage(() => import("./settings/settings.tsx"), (part) => part.SettingsPage);

const GROWS = "grows" in document.documentElement.dataset; // the site says so in the page's HTML

export function App() {
  const [path, setPath] = useState(location.pathname);
  const [visit, setVisit] = useState(0); // a link to the current page remounts it
  const [notice, setNotice] = useState<Said | null>(null);
  const content = useRef<HTMLDivElement>(null);

  const follow = useCallback(() => {
    setPath(location.pathname);
    setVisit((old) => old + 1);
  }, []);
  useEffect(() => {
    // also fires when the part of the address after # is edited
    addEventListener("popstate", follow);
    return () => removeEventListener("popstate", follow);
  }, []);

  const open = useCallback((to: string) => {
    history.pushState(null, "", to);
    follow();
    setNotice(null);
    scrollTo(0, 0);
  }, []);
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented) return;
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
      if (!link || link.origin !== location.origin || link.target || link.hasAttribute("download")) return;
      if (link.pathname.startsWith("/api/")) return;
      event.preventDefault();
      open(link.pathname + link.search + link.hash);
    };
    addEventListener("click", onClick);
    return () => removeEventListener("click", onClick);
  }, []);
  const onNotice = useCallback((said: string | Error) => setNotice({ said }), []);
  useEffect(() => keepInbox({ onOpen: (id) => open(gamePath(id)), onNotice }), []);

  return (
    <>
      <Header path={path} grows={GROWS} onSkip={() => content.current?.focus()} onNotice={onNotice} />
      <InboxCards onNotice={onNotice} />
      <div id="content" key={visit} ref={content} tabindex={-1}>
        {page(path, onNotice, open)}
      </div>
      <Notices latest={notice} onDismiss={() => setNotice(null)} />
    </>
  );
}

function page(path: string, onNotice: OnNotice, open: (to: string) => void) {
  const [, place, name, part] = path.split("/");
  const onOpen = (id: string) => open(gamePath(id));
  if (place === "game" && name) {
    return <GamePage key={name} id={decoded(name)} onNotice={onNotice} onOpen={onOpen} />;
  }
  if (place === "learn") return name ? <LessonPage key={name} game={decoded(name)} onNotice={onNotice} /> : <LearnPage />;
  if (place === "replay" && name) return <ReplayPage key={name} id={decoded(name)} onNotice={onNotice} />;
  if (place === "shared") return <SharedPage onNotice={onNotice} onPath={open} />;
  if (place === "study") return <StudyPage onNotice={onNotice} />;
  if (place === "puzzles") {
    if (!name) return <PuzzlesPage />;
    return <PuzzlePage key={path} game={decoded(name)} name={decoded(part ?? "")} onNotice={onNotice} />;
  }
  if (place === "games") return <GamesPage onNotice={onNotice} onPath={open} />;
  if (place === "ratings") return <RatingsPage />;
  if (place === "people" && name) return <PersonPage key={name} name={decoded(name)} onNotice={onNotice} />;
  if (place === "training") return <TrainingPage onNotice={onNotice} onOpen={onOpen} />;
  if (place === "operator") return <OperatorPage onNotice={onNotice} />;
  if (place === "mail") return <MailPage onNotice={onNotice} />;
  if (place === "settings") return <SettingsPage onNotice={onNotice} />;
  if (!place) return <Landing onNotice={onNotice} onOpen={onOpen} />;
  return <Refused heading="There is no such page" trouble={`Nothing is at ${decoded(path)}.`} href="/" instead="Choose a game" />;
}
