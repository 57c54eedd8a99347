// A study on the screen: the board, whose turn it is, and the way back.
import { useEffect, useRef } from "preact/hooks";
import { PlayBoard } from "../board/play.tsx";
import { changes } from "../board/reading.ts";
import { Icon } from "../icons.tsx";
import { usePrefs } from "../prefs.ts";
import { play } from "../sound.ts";
import { soundOf } from "../game/spoken.ts";
import type { Study } from "./use-study.ts";

export function StudyBoard({ study, label }: { study: Study; label: string }) {
  const { view } = study;
  const { coordinates } = usePrefs();
  const before = useRef(view);
  useEffect(() => {
    if (view.ply > before.current.ply) play(soundOf(changes(before.current.board, view.board)));
    if (view.result && !before.current.result) play("win");
    before.current = view;
  }, [view]);
  const buttons = view.board.choices.filter((choice) => choice.kind === "button");
  return (
    <div class={`study-board ${view.board.style}`}>
      <PlayBoard
        board={view.board}
        mode={view.result || study.busy ? "look" : "play"}
        player={view.toPlay}
        you={null}
        ply={view.ply}
        label={label}
        labels={coordinates}
        onAct={study.act}
      />
      <div class="study-line">
        <span role="status" class="study-turn">
          {view.result ? (
            <strong>{view.result.winner === null ? "A draw" : `Player ${view.result.winner + 1} has won`}</strong>
          ) : (
            <>
              <span class={`chip owner-${view.toPlay}`} aria-hidden="true" /> Player {view.toPlay + 1} to move
            </>
          )}
        </span>
        {buttons.map((choice) => (
          <button key={choice.action} type="button" class="button small" onClick={() => study.act(choice.action)}>
            {choice.label ?? choice.text}
          </button>
        ))}
        <span class="study-steps">
          <button type="button" class="icon-button" aria-label="Take back" title="Take back" disabled={study.at === 0} onClick={() => study.go(study.at - 1)}>
            <Icon name="undo" />
          </button>
          <button type="button" class="icon-button" aria-label="Start again" title="Start again" disabled={study.at === 0} onClick={() => study.go(0)}>
            <Icon name="again" />
          </button>
        </span>
      </div>
    </div>
  );
}
