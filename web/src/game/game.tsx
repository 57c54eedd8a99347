// The page of one game: board, players, evaluation, moves, and what a player may do.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Board, Choice, GameState } from "../api.gen.ts";
import { edgeKey } from "../board/drawing.tsx";
import { frame } from "../board/geometry.ts";
import { PlayBoard } from "../board/play.tsx";
import { Icon } from "../icons.tsx";
import { Header } from "../header.tsx";
import { Actions } from "./actions.tsx";
import { EvaluationBar, EvaluationGraph } from "./evaluation.tsx";
import { Moves } from "./moves.tsx";
import { useGame, usePast } from "./use-game.ts";
import { playerOf, resultLine, statusLine } from "./words.ts";

interface GameProps {
  id: string;
  onNotice: (sentence: string) => void;
  onOpen: (id: string) => void;
  onHome: () => void;
}

export function GamePage({ id, onNotice, onOpen, onHome }: GameProps) {
  const { state, line, refusal, pending, send } = useGame(id, { onNotice, onRematch: onOpen });
  const past = usePast(id, state, onNotice);
  const shown = useLast(past.position);
  const walls = useMemo(() => newWalls(shown?.board, past.before?.board), [shown?.board, past.before?.board]);

  const step = useRef(past.step);
  step.current = past.step;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const way = KEYS[event.key];
      if (!way || event.altKey || event.ctrlKey || event.metaKey) return;
      if (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement) return;
      event.preventDefault();
      step.current(way);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  useEffect(() => {
    document.title = state ? `${statusLine(state)} ${state.title} – Ludus` : "Ludus";
  }, [state]);

  if (refusal && !state) return <Refused sentence={refusal} onHome={onHome} />;
  if (!state || !shown) return <Waiting lost={line === "lost"} onHome={onHome} />;

  const board = past.back ? { ...shown.board, choices: [] } : shown.board;
  const active = !past.back && state.status === "playing" && state.you === state.toPlay && line === "open" && pending === null;
  const act = (action: number) => send({ type: "act", action, ply: state.ply });
  const box = frame(state.board, true, true);
  const top = state.you === 1 ? 0 : 1;
  const bottom = top === 1 ? 0 : 1;
  return (
    <div class={`game ${board.style}`} style={{ "--aspect": box.width / box.height }}>
      <Header onHome={onHome}>
        <ShareLink onNotice={onNotice} />
      </Header>
      {line === "lost" && (
        <p class="line-lost" role="status">
          <span class="spinner" /> Connection lost. Reconnecting…
        </p>
      )}
      {refusal && <p class="line-lost">{refusal}</p>}
      <main class="table">
        <h1 class="visually-hidden">{state.title}</h1>
        <PlayerStrip state={state} player={top} place="top" />
        <EvaluationBar state={state} evaluation={shown.evaluation ?? state.evaluations[past.ply] ?? null} />
        <section class="board-area" aria-label="Board">
          {board.rows > 0 && (
            <PlayBoard
              board={board}
              active={active}
              toPlay={state.toPlay}
              ply={past.ply}
              pending={past.back ? null : pending}
              label={`${state.title}. ${statusLine(state)}`}
              newEdges={walls}
              onAct={act}
            />
          )}
        </section>
        <PlayerStrip state={state} player={bottom} place="bottom" />
        <StatusBox
          state={state}
          back={past.back}
          buttons={active ? board.choices.filter((choice) => choice.kind === "button") : []}
          onAct={act}
          onNow={() => past.step("end")}
        />
        <section class="record" aria-label="Record">
          <Moves state={state} ply={past.ply} onPly={past.go} />
          <EvaluationGraph state={state} ply={past.ply} onPly={past.go} />
          <Steps state={state} ply={past.ply} step={past.step} />
        </section>
        <Actions state={state} ready={line === "open"} send={send} onHome={onHome} />
      </main>
    </div>
  );
}

const KEYS: Record<string, "start" | "back" | "forward" | "end"> = {
  ArrowLeft: "back",
  ArrowRight: "forward",
  Home: "start",
  End: "end",
};

/** The last value that was not null: the board stays while the next one is fetched. */
function useLast<Value>(value: Value | null): Value | null {
  const last = useRef<Value | null>(null);
  if (value !== null) last.current = value;
  return last.current;
}

function newWalls(now: Board | undefined, before: Board | undefined): Set<string> {
  const old = new Set(before?.edges.map(edgeKey));
  return new Set(now && before ? now.edges.map(edgeKey).filter((key) => !old.has(key)) : []);
}

function PlayerStrip({ state, player, place }: { state: GameState; player: number; place: string }) {
  const { name, bot } = playerOf(state, player);
  const turn = state.status === "playing" && state.toPlay === player;
  const won = state.result?.winner === player;
  return (
    <div class={`player ${place} ${turn ? "turn" : ""} ${won ? "won" : ""}`}>
      <span class={`chip owner-${player}`} aria-hidden="true" />
      <span class="name">{name}</span>
      {state.you === player && <span class="tag">you</span>}
      {bot && <span class="tag">bot</span>}
      {won && <span class="tag win">won</span>}
      {turn && state.thinking && (
        <span class="thinking" role="img" aria-label="thinking">
          <i />
          <i />
          <i />
        </span>
      )}
    </div>
  );
}

interface StatusProps {
  state: GameState;
  back: boolean;
  /** Actions that have no place on the board. */
  buttons: Choice[];
  onAct: (action: number) => void;
  onNow: () => void;
}

function StatusBox({ state, back, buttons, onAct, onNow }: StatusProps) {
  if (back) {
    return (
      <div class="status past">
        <span role="status">An earlier position.</span>
        <button type="button" class="button small" onClick={onNow}>
          Back to the game
        </button>
      </div>
    );
  }
  if (state.result) {
    const { winner, reason } = state.result;
    const mood = state.you === null || winner === null ? "" : winner === state.you ? "victory" : "defeat";
    return (
      <div class={`status result ${mood}`} role="status">
        <strong>{resultLine(state)}</strong>
        <span>{reason.charAt(0).toUpperCase() + reason.slice(1)}</span>
      </div>
    );
  }
  return (
    <div class={`status ${state.you === state.toPlay ? "yours" : ""}`}>
      <span role="status">{statusLine(state)}</span>
      {buttons.map((choice) => (
        <button key={choice.action} type="button" class="button small" onClick={() => onAct(choice.action)}>
          {choice.label ?? choice.text}
        </button>
      ))}
    </div>
  );
}

interface StepsProps {
  state: GameState;
  ply: number;
  step: (by: "start" | "back" | "forward" | "end") => void;
}

function Steps({ state, ply, step }: StepsProps) {
  const button = (by: "start" | "back" | "forward" | "end", name: string, disabled: boolean) => (
    <button type="button" class="icon-button" aria-label={name} title={name} disabled={disabled} onClick={() => step(by)}>
      <Icon name={by} />
    </button>
  );
  return (
    <div class="steps" role="group" aria-label="Walk through the game">
      {button("start", "To the start", ply === 0)}
      {button("back", "One move back", ply === 0)}
      {button("forward", "One move forward", ply === state.ply)}
      {button("end", "To the latest position", ply === state.ply)}
    </div>
  );
}

function ShareLink({ onNotice }: { onNotice: (sentence: string) => void }) {
  const [copied, setCopied] = useState(false);
  const link = location.origin + location.pathname;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link);
      setCopied(true);
      setTimeout(() => setCopied(false), 2500);
    } catch {
      onNotice(`Anyone can watch at ${link}`); // without https, browsers keep the clipboard to themselves
    }
  };
  return (
    <button type="button" class="button quiet" onClick={copy} title="Anyone with this link can watch the game">
      <Icon name={copied ? "done" : "link"} />
      <span aria-live="polite">{copied ? "Link copied" : "Copy link for spectators"}</span>
    </button>
  );
}

function Waiting({ lost, onHome }: { lost: boolean; onHome: () => void }) {
  return (
    <>
      <Header onHome={onHome} />
      <main class="middle">
        <p role="status">
          <span class="spinner" /> {lost ? "The site does not answer. Trying again…" : "Opening the game…"}
        </p>
      </main>
    </>
  );
}

function Refused({ sentence, onHome }: { sentence: string; onHome: () => void }) {
  return (
    <>
      <Header onHome={onHome} />
      <main class="middle">
        <h1>This game cannot be opened</h1>
        <p>{sentence}</p>
        <button type="button" class="button primary" onClick={onHome}>
          Choose a game
        </button>
      </main>
    </>
  );
}

