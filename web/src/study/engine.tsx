// The engine's panel on the analysis board: its best lines, how deep it has looked, and the switches for both.
import type { MoveInfo, StudyView } from "../api.gen.ts";
import type { Where } from "../device/use-where.ts";
import { WhereSwitch } from "../device/where.tsx";
import { prefer, usePrefs } from "../prefs.ts";
import { Toggle } from "../toggle.tsx";
import { EngineLines, actionsOf } from "./engine-lines.tsx";
import { MOST_LINES } from "./use-deepening.ts";
import type { Judged } from "./use-deepening.ts";

interface EngineProps {
  engine: Judged;
  where: Where;
  /** The position on the board. */
  view: StudyView;
  paused: boolean;
  onPause: (paused: boolean) => void;
  /** Play actions whose moves are known. */
  onPlay: (actions: number[], moves: MoveInfo[]) => void;
}

export function Engine({ engine, where, view, paused, onPause, onPlay }: EngineProps) {
  const lines = Math.min(MOST_LINES, Math.max(1, usePrefs().lines));
  const { depth, trouble } = engine;
  const mover = view.players[view.toPlay === 1 ? 1 : 0];
  const found = depth?.found;
  return (
    <section class="panel engine" aria-label="Engine">
      <div class="engine-head">
        <h2>Engine</h2>
        <label>
          Lines{" "}
          <select value={lines} onChange={(event: Event) => prefer({ lines: Number((event.target as HTMLSelectElement).value) })}>
            {Array.from({ length: MOST_LINES }, (_, index) => (
              <option key={index} value={index + 1}>
                {index + 1}
              </option>
            ))}
          </select>
        </label>
        <Toggle icon={paused ? "play" : "pause"} name={paused ? "Go on" : "Pause"} title={paused ? "Look deeper" : "Look no deeper"} pressed={paused} onToggle={() => onPause(!paused)} />
      </div>
      <WhereSwitch where={where} name="Engine" />
      <p class="quiet-note" role="status">
        {trouble}
        {trouble && !view.judge && " Everything else works without it."}
      </p>
      {!trouble && <p class="quiet-note depth">{depthWords(engine, where, paused)}</p>}
      {!!found?.lines.length && <p class="quiet-note">Win chance of {mover}:</p>}
      {found && (
        <EngineLines
          side={view.toPlay}
          name={mover}
          found={{ ...found, lines: found.lines.slice(0, lines) }}
          onPlay={(line, count) => onPlay(actionsOf(line, count), line.moves)}
        />
      )}
    </section>
  );
}

/** Say how deep the engine has looked, and how fast. */
function depthWords({ depth }: Judged, { progress }: Where, paused: boolean): string {
  if (!depth) return paused ? "Paused." : progress ? "" : "The engine begins to think…";
  const { found, speed, isDone } = depth;
  if (!found.bot) return "The game is over.";
  const visits = found.visits ? `${found.visits.toLocaleString()} visits` : "";
  const state = isDone ? (found.proved ? "proved" : "done") : paused ? "paused" : speed === null ? "" : `${Math.round(speed).toLocaleString()} a second`;
  return `${found.bot}: ${[visits, state].filter(Boolean).join(", ")}`;
}
