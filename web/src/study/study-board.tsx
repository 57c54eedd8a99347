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
  const { view } = study;
  const { coordinates } = usePrefs();
  const before = useRef(view);
  useEffect(() => {
    if (view.ply > before.current.ply) play(soundOf(changes(before.current.board, view.board)));
    if (view.result && !before.current.result) play("win");
    before.current = view;
  }, [view]);
  const board = useMemo(() => (flip ? turned(view.board) : view.board), [view, flip]);
  const ownership = useMemo(() => {
    const rows = judged?.ownership.length ? judged.ownership : undefined;
    return flip && rows ? halfTurned(rows) : rows;
  }, [judged, flip]);
  const hint = judged ? hintFrom(judged.bestMove, view.board, flip) : [];
  const buttons = view.board.choices.filter((choice) => choice.kind === "button");
  return (
    <div class={`study-board ${view.board.style}`} style={sidesOf(view.board)}>
      <PlayBoard
        board={board}
        mode={view.result || study.busy || locked ? "look" : "play"}
        owner={colourInHand(view.board, view.toPlay)}
        you={null}
        place={view.actions.join(" ")}
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
              <Chip owner={colourOf(view.board, view.toPlay)} /> {view.players[view.toPlay === 1 ? 1 : 0]} to move
              {(view.board.stage || view.board.note) && <small>{[view.board.stage, view.board.note].filter(Boolean).join(" ")}</small>}
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
