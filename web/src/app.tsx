// Which page is shown for which address, and the notices over all of them.
import { useCallback, useEffect, useState } from "preact/hooks";
import { GamePage } from "./game/game.tsx";
import { Landing } from "./landing/landing.tsx";

const NOTICE_MS = 6000;

export function App() {
  const [path, setPath] = useState(location.pathname);
  const [notice, setNotice] = useState<{ sentence: string } | null>(null);

  useEffect(() => {
    const onPop = () => setPath(location.pathname);
    addEventListener("popstate", onPop);
    return () => removeEventListener("popstate", onPop);
  }, []);
  useEffect(() => {
    if (!notice) return;
    const timer = setTimeout(() => setNotice(null), NOTICE_MS);
    return () => clearTimeout(timer);
  }, [notice]);

  const open = useCallback((to: string) => {
    history.pushState(null, "", to);
    setPath(to);
    setNotice(null);
    scrollTo(0, 0);
  }, []);
  const onNotice = useCallback((sentence: string) => setNotice({ sentence }), []);
  const onOpen = useCallback((id: string) => open(`/game/${encodeURIComponent(id)}`), []);
  const onHome = useCallback(() => open("/"), []);

  const game = /^\/game\/([^/]+)\/?$/.exec(path)?.[1];
  return (
    <>
      {game ? (
        <GamePage key={game} id={decodeURIComponent(game)} onNotice={onNotice} onOpen={onOpen} onHome={onHome} />
      ) : (
        <Landing onNotice={onNotice} onOpen={onOpen} />
      )}
      <div class="notices" role="alert">
        {notice && (
          <p class="notice">
            {notice.sentence}
            <button type="button" aria-label="Dismiss" onClick={() => setNotice(null)}>
              ×
            </button>
          </p>
        )}
      </div>
    </>
  );
}
