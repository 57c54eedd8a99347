// The display of a study: the board, whose turn it is, and buttons to take moves back.
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { Chip } from "../board/chip.tsx";
import { colourInHand, colourOf, sidesOf } from "../board/colours.ts";
import { PlayBoard } from "../board/play.tsx";
import { changes } from "../board/reading.ts";
import { halfTurned, turned } from "../board/turned.ts";
import { Button } from "../button.tsx";
import type { LineEvaluation } from "../api.gen.ts";
import { hintFrom } from "../game/hint.ts";
import { Icon } from "../icons.tsx";
import { usePrefs } from "../prefs.ts";
import { play } from "../sound.ts";
import { soundOf } from "../game/spoken.ts";
import type { Study } from "./use-study.ts";

interface StudyBoardProps {
  study: Study;
  label: string;
  /** Whether the board is turned. */
  flip?: boolean;
  /** Whether moves are disabled. */
  locked?: boolean;
  /** The engine's evaluation, drawn on the board as a hint and ownership. */
  judged?: LineEvaluation | null;
  children?: ComponentChildren;
}

export function StudyBoard({ study, label, flip = false, locked = false, judged = null, children }: StudyBoardProps) {
  const { view, ahead } = study;
  const { board: shown, toPlay } = ahead ?? view;
  const waits = ahead ? !shown.choices.length : study.busy || !!view.result;
  const place = [...view.actions, ...(ahead ? study.unanswered : [])];
  const { coordinates } = usePrefs();
  const before = useRef({ board: shown, ply: place.length, result: view.result });
  useEffect(() => {
    const now = { board: shown, ply: place.length, result: view.result };
    if (now.ply > before.current.ply) play(soundOf(changes(before.current.board, shown)));
    if (now.result && !before.current.result) play("win");
    before.current = now;
  }, [view, ahead]);
  const board = useMemo(() => (flip ? turned(shown) : shown), [shown, flip]);
  const ownership = useMemo(() => {
    const rows = !ahead && judged?.ownership.length ? judged.ownership : undefined;
    return flip && rows ? halfTurned(rows) : rows;
  }, [judged, ahead, flip]);
  const hint = judged && !ahead ? hintFrom(judged.bestMove, shown, flip) : [];
  const buttons = shown.choices.filter((choice) => choice.kind === "button");
  return (
    <div class={`study-board ${shown.style}`} style={sidesOf(shown)}>
      <PlayBoard
        board={board}
        mode={waits || locked ? "look" : "play"}
        owner={colourInHand(shown, toPlay)}
        you={null}
        place={place.join(" ")}
        flip={flip}
        label={label}
        labels={coordinates}
        hint={hint}
        {...(ownership ? { ownership } : {})}
        onAct={study.act}
      />
      <div class="study-line">
        <span role="status" class="study-turn">
          {view.result ? (
            <strong>
              {view.result.winner === null ? "Draw" : `${view.players[view.result.winner === 1 ? 1 : 0]} won`}
              {view.ending && `: ${view.ending}`}
            </strong>
          ) : (
            <>
              <Chip owner={colourOf(shown, toPlay)} /> {view.players[toPlay === 1 ? 1 : 0]} to move
              {(shown.stage || shown.note) && <small>{[shown.stage, shown.note].filter(Boolean).join(" ")}</small>}
            </>
          )}
        </span>
        {(locked ? [] : buttons).map((choice) => (
          <button key={choice.action} type="button" class="button small" onClick={() => study.act(choice.action)}>
            {choice.label ?? choice.text}
          </button>
        ))}
        {children ?? (
          <span class="study-steps">
            <Button class="icon-button" aria-label="Take back" title="Take back" disabled={study.at === 0} onClick={study.back}>
              <Icon name="undo" />
            </Button>
            <Button class="icon-button" aria-label="Start again" title="Start again" disabled={study.at === 0} onClick={study.start}>
              <Icon name="again" />
            </Button>
          </span>
        )}
      </div>
    </div>
  );
}
