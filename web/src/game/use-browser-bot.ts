// The hook that thinks for the opponent, a bot that thinks in this browser: loads its engine, searches, and sends its move.
import { useEffect, useState } from "preact/hooks";
import type { BotMove, BrowserBotInfo, GameState } from "../api.gen.ts";
import type { Engine, Progress } from "../../engine/src/engine.ts";
import { asError } from "../notice.ts";

/** How far the opponent's engine is. */
export interface BrowserBot {
  /** Why it cannot think, and what helps; empty if it can. */
  trouble: string;
  /** The bytes loaded so far, while its engine is loading; null otherwise. */
  progress: { loaded: number; total: number } | null;
  /** Try again after trouble. */
  again: () => void;
}

interface Loaded {
  manifest: string;
  engine: Engine;
}

interface Move {
  key: string;
  message: BotMove;
}

const NOT_READY = "The bot is not ready on this site now. The game goes on when it is.";

/** The position that the bot is to search, as a text; empty while it is not to move. */
export function searched(bot: BrowserBotInfo | null | undefined): string {
  return bot?.position ? JSON.stringify([bot.position, bot.visits, bot.seconds, bot.temperature]) : "";
}

/** Think for the opponent if it is such a bot. `refused`: the site's reason for refusing its last move; "" if it did not. */
export function useBrowserBot(state: GameState | null, ready: boolean, refused: string, send: (message: BotMove) => void): BrowserBot {
  const bot = state?.status === "playing" ? state.browserBot : null;
  const manifest = bot?.manifest ?? "";
  const key = searched(bot);
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [progress, setProgress] = useState<Progress | null>(null);
  const [trouble, setTrouble] = useState("");
  const [attempt, setAttempt] = useState(0);
  const [move, setMove] = useState<Move | null>(null);
  const engine = loaded?.manifest === manifest ? loaded.engine : null;

  useEffect(() => {
    if (!manifest) return;
    const stop = new AbortController();
    let started: Engine | null = null;
    setTrouble("");
    void (async () => {
      try {
        const { load } = await import("../../engine/src/engine.ts");
        const onProgress = (now: Progress) => !stop.signal.aborted && setProgress(now);
        started = await load(manifest, { onProgress, signal: stop.signal });
        if (stop.signal.aborted) started.close();
        else setLoaded({ manifest, engine: started });
      } catch (error) {
        if (!stop.signal.aborted) setTrouble(asError(error).message);
      }
      if (!stop.signal.aborted) setProgress(null);
    })();
    return () => {
      stop.abort();
      started?.close();
      setLoaded(null);
      setProgress(null);
    };
  }, [manifest, attempt]);

  useEffect(() => {
    if (!engine || !bot?.position) return;
    const { position, visits, seconds, temperature, ply } = bot;
    const { spec, start, actions } = position;
    let gone = false;
    engine.think({ game: spec, actions, start }, { visits, seconds, temperature }).then(
      ({ best }) => !gone && setMove({ key, message: { type: "bot-move", ply, actions: best } }),
      (error: unknown) => !gone && setTrouble(asError(error).message),
    );
    return () => {
      gone = true;
      engine.stop();
    };
  }, [engine, key]);

  // again after a lost connection: the position is the same if the site has not got the move
  useEffect(() => {
    if (ready && move && move.key === key) send(move.message);
  }, [move, key, ready]);

  const again = () => {
    setMove(null);
    setAttempt((old) => old + 1);
  };
  const said = trouble || (bot && !manifest ? NOT_READY : "") || (key && move?.key === key ? refused : "");
  return { trouble: bot ? said : "", progress: bot && progress ? { loaded: progress.loaded, total: progress.total } : null, again };
}
