// Sample games of a generation's self-play, to step through.
import { useState } from "preact/hooks";
import { useAnswer } from "../answer.ts";
import { sampleGame } from "../api.ts";
import { sidesOf } from "../board/colours.ts";
import { BoardPicture } from "../board/drawing.tsx";
import { Button } from "../button.tsx";
import { chanceOf } from "../chances.ts";
import { Steps } from "../game/steps.tsx";
import type { Way } from "../game/steps.tsx";
import { resultWords } from "./words.ts";

export function Samples({ generation, players }: { generation: number; players: [string, string] }) {
  const [number, setNumber] = useState(0);
  const [ply, setPly] = useState(0);
  const { found, error } = useAnswer(() => sampleGame(generation, number), [generation, number]);
  const last = (found?.steps.length ?? 1) - 1;
  const at = Math.min(ply, last);
  const step = (by: Way) => setPly({ start: 0, back: Math.max(0, at - 1), forward: Math.min(last, at + 1), end: last }[by]);
  const shown = found?.steps[at];
  const another = () => {
    setPly(0);
    setNumber((number + 1) % (found?.count ?? 1));
  };
  return (
    <section class="panel" aria-labelledby="samples">
      <h2 id="samples">A game of generation {generation} against itself</h2>
      {error && <p class="line-lost">{error.message}</p>}
      {found && shown && (
        <div class="sample">
          <div class={`picture ${shown.board.style}`} style={sidesOf(shown.board)}>
            <BoardPicture key={`${generation} ${number}`} board={shown.board} label={`Position after ${at} of ${last} recorded actions`} />
          </div>
          <div class="stack">
            <p>
              {at === 0 ? "The first recorded position, after some random actions." : `${at} of ${last}: ${shown.move}`}
              {shown.value !== null && (
                <small>
                  Win chance of {players[0]}: {chanceOf(shown.value, 0)}
                </small>
              )}
            </p>
            <Steps ply={at} last={last} step={step} />
            <p>{resultWords(found, players)}</p>
            <Button class="button small" disabled={found.count < 2} onClick={another}>
              Another game
            </Button>
          </div>
        </div>
      )}
    </section>
  );
}
