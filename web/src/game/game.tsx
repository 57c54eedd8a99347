// The page of a running game: connects to the site, and shows the waiting room or the table.
import { useEffect } from "preact/hooks";
import type { GameState, RatingChange } from "../api.gen.ts";
import { pastPosition } from "../api.ts";
import { useManifest, useWhere } from "../device/use-where.ts";
import { WhereSwitch } from "../device/where.tsx";
import { Icon } from "../icons.tsx";
import { lazyPage } from "../lazily.tsx";
import type { OnNotice } from "../notice.ts";
import { useOwnSeat } from "../own-seat.ts";
import { Keepsakes } from "../replay/keepsakes.tsx";
import { Actions } from "./actions.tsx";
import { Announcer } from "./announcer.tsx";
import { ChatBox } from "./chat.tsx";
import { useBrowserBot } from "./use-browser-bot.ts";
import { Clock } from "./clock.tsx";
import { CopyLink } from "./share.tsx";
import { Table } from "./table.tsx";
import { bestAt, byPly, leadsByPly, useEvaluation } from "./use-evaluation.ts";
import { useAhead } from "./use-ahead.ts";
import { useGame } from "./use-game.ts";
import { mayEvaluateHere, useOwnEvaluation } from "./use-own-evaluation.ts";
import { usePast } from "./use-past.ts";
import { changeWords, useRatings } from "./use-ratings.ts";
import { WaitingRoom } from "./waiting.tsx";
import { useEvaluationSwitch } from "./use-evaluation-switch.ts";
import { fairnessWords, playerOf, pointsText, statusLine } from "./words.ts";
import { sidesOf } from "../board/colours.ts";

const ReplayPage = lazyPage(() => import("../replay/replay.tsx"), (part) => part.ReplayPage);
const LOST = "Connection lost. Reconnecting…";

interface GameProps {
  id: string;
  onNotice: OnNotice;
  onOpen: (id: string) => void;
}

export function GamePage({ id, onNotice, onOpen }: GameProps) {
  const { state, since, line, refusal, trouble, pending, refusedMove, chat, send, sitDown } = useGame(id, { onNotice, onRematch: onOpen });
  useOwnSeat(id, state, refusal, sitDown);
  const past = usePast(id, state, (ply) => pastPosition(id, ply), onNotice);
  const ratings = useRatings(state);
  const evaluation = useEvaluationSwitch(id, state);
  const ahead = useAhead(state, pending);
  const browserBot = useBrowserBot(state, line === "open", refusedMove, send);
  const mayHere = state !== null && mayEvaluateHere(state);
  const manifest = useManifest({ spec: state?.spec ?? "", setup: state?.setup ?? null }, evaluation.on && mayHere);
  const where = useWhere(mayHere ? manifest : null);
  const atSite = useEvaluation(id, state, evaluation.on && where.by === "site");
  const here = useOwnEvaluation(state, past?.ply ?? 0, evaluation.on && where.by === "device");
  const evaluating = where.by === "device" ? here : atSite;
  useEffect(() => {
    document.title = state ? `${statusLine(state)} ${state.title} – Ludus` : "Ludus";
  }, [state]);

  if (refusal && !state) return <ReplayPage id={id} refusal={refusal} onNotice={onNotice} />;
  if (!state || !past) return <Opening trouble={trouble || (line === "lost" ? "The site is not responding." : "")} />;
  if (state.status === "waiting") {
    const fault = refusal || (line === "lost" ? LOST : "");
    return <WaitingRoom state={state} ratings={ratings} trouble={fault} onNotice={onNotice} onJoined={sitDown} onAbort={() => send({ type: "abort" })} />;
  }
  const ready = line === "open";
  const { clock } = state;
  return (
    <div class={`game ${state.board.style}`} style={sidesOf(state.board)}>
      {line === "lost" && (
        <p class="line-lost" role="status">
          <span class="spinner" /> {LOST}
        </p>
      )}
      {refusal && <p class="line-lost">{refusal}</p>}
      <Table
        state={browserBot.trouble ? { ...state, thinking: false } : state}
        past={past}
        pending={pending}
        ahead={ahead}
        ready={ready}
        canEvaluate={state.mayEvaluate}
        evaluations={evaluation.on ? byPly(state, evaluating) : null}
        leads={leadsByPly(state, evaluating)}
        marks={state.mayHint}
        onEvaluate={evaluation.toggle}
        {...bestAt(state, evaluating, past.ply)}
        evaluationWords={evaluating.words}
        evaluator={<WhereSwitch where={where} name="Evaluation" />}
        onAct={(action) => send({ type: "act", action, ply: state.ply + pending.length })}
        aside={(player) => (
          <>
            <Rating rating={ratings[player === 1 ? 1 : 0]} change={state.ratingChanges?.[player === 1 ? 1 : 0]} />
            <Points state={state} player={player} />
            {clock && state.browserBot?.side !== player && <Clock clock={clock} player={player} since={since} own={player === state.you} name={playerOf(state, player).name} />}
          </>
        )}
        preparing={browserBot.progress}
        actions={<Actions state={state} ready={ready} send={send} browserBot={browserBot} afterwards={<Keepsakes id={id} onNotice={onNotice} />} />}
        below={
          <div class="around">
            <div class="room">
              {state.spectators > 0 && (
                <span class="spectators">
                  <Icon name="eye" /> {state.spectators} watching
                </span>
              )}
              {fairnessWords(state).map((words) => (
                <span key={words} class="spectators">
                  <Icon name="chart" /> {words}
                </span>
              ))}
              <CopyLink
                link={() => location.origin + location.pathname}
                text="Copy link for spectators"
                title="Anyone with this link can watch the game"
                onNotice={onNotice}
              />
            </div>
            {(state.kind !== "bot" || state.spectators > 0 || chat.length > 0) && (
              <ChatBox state={state} messages={chat} ready={ready} onSay={(text) => send({ type: "chat", text })} onNotice={onNotice} />
            )}
          </div>
        }
      />
      <Announcer state={state} since={since} />
    </div>
  );
}

function Rating({ rating, change }: { rating: number | null; change: RatingChange | undefined }) {
  if (change) {
    const [values, by] = changeWords(change).split(/ (?=\()/);
    return (
      <span class={`rating-change ${change.after < change.before ? "less" : "more"}`}>
        <span>{values}</span> <span>{by}</span>
      </span>
    );
  }
  return rating === null ? null : (
    <span class="quiet-note" title="Rating">
      {rating}
    </span>
  );
}

/** A player's points in a series of rematches; hidden in the first game. */
function Points({ state, player }: { state: GameState; player: number }) {
  const [first, second] = state.score;
  if (first + second === 0) return null;
  return (
    <span class="points-won" title="Points in this series of games">
      {pointsText(player === 0 ? first : second)}
    </span>
  );
}

function Opening({ trouble }: { trouble: string }) {
  return (
    <main class="middle">
      <p role="status">
        <span class="spinner" /> {trouble ? `${trouble} Trying again…` : "Opening the game…"}
      </p>
    </main>
  );
}
