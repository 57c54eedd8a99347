// The page of a running game: the table, the line to the site, and what a player may do.
import { useEffect } from "preact/hooks";
import { pastPosition } from "../api.ts";
import { usePrefs } from "../prefs.ts";
import { Actions } from "./actions.tsx";
import { Announcer } from "./announcer.tsx";
import { Table } from "./table.tsx";
import { useGame } from "./use-game.ts";
import { usePast } from "./use-past.ts";
import { statusLine } from "./words.ts";

interface GameProps {
  id: string;
  onNotice: (sentence: string) => void;
  onOpen: (id: string) => void;
}

export function GamePage({ id, onNotice, onOpen }: GameProps) {
  const { state, line, refusal, pending, send } = useGame(id, { onNotice, onRematch: onOpen });
  const past = usePast(id, state, (ply) => pastPosition(id, ply), onNotice);
  const prefs = usePrefs();
  useEffect(() => {
    document.title = state ? `${statusLine(state)} ${state.title} – Ludus` : "Ludus";
  }, [state]);

  if (refusal && !state) return <Refused sentence={refusal} />;
  if (!state || !past) return <Waiting lost={line === "lost"} />;
  return (
    <div class={`game ${state.board.style}`}>
      {line === "lost" && (
        <p class="line-lost" role="status">
          <span class="spinner" /> Connection lost. Reconnecting…
        </p>
      )}
      {refusal && <p class="line-lost">{refusal}</p>}
      <Table
        state={state}
        past={past}
        pending={pending}
        ready={line === "open"}
        canEvaluate
        evaluations={prefs.evaluation ? state.evaluations : null}
        onAct={(action) => send({ type: "act", action, ply: state.ply })}
        actions={<Actions state={state} ready={line === "open"} send={send} />}
      />
      <Announcer state={state} />
    </div>
  );
}

function Waiting({ lost }: { lost: boolean }) {
  return (
    <main class="middle">
      <p role="status">
        <span class="spinner" /> {lost ? "The site does not answer. Trying again…" : "Opening the game…"}
      </p>
    </main>
  );
}

function Refused({ sentence }: { sentence: string }) {
  return (
    <main class="middle">
      <h1>This game cannot be opened</h1>
      <p>{sentence}</p>
      <a class="button primary" href="/">
        Choose a game
      </a>
    </main>
  );
}
