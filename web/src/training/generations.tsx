// The table of a run's generations: figures, and buttons to play against each and to see its games.
import type { TrainedGeneration } from "../api.gen.ts";
import { Button } from "../button.tsx";
import { durationWords, eloWords } from "./words.ts";

interface GenerationsProps {
  generations: TrainedGeneration[];
  /** The generation whose games are shown. */
  shown: number | null;
  /** Whether games can be started now. */
  playable: boolean;
  onPlay: (generation: TrainedGeneration) => void;
  onShow: (generation: number) => void;
}

export function Generations({ generations, shown, playable, onPlay, onShow }: GenerationsProps) {
  return (
    <section class="panel" aria-labelledby="generations">
      <h2 id="generations">Generations</h2>
      <div class="wide">
        <table class="ratings generations">
          <thead>
            <tr>
              <th scope="col">Generation</th>
              <th scope="col">Elo</th>
              <th scope="col" class="more">
                Policy loss
              </th>
              <th scope="col" class="more">
                Outcome loss
              </th>
              <th scope="col" class="more">
                Games
              </th>
              <th scope="col" class="more">
                Time
              </th>
              <th scope="col">Try it</th>
            </tr>
          </thead>
          <tbody>
            {[...generations].reverse().map((one) => (
              <tr key={one.generation}>
                <th scope="row">
                  {one.generation}
                  {!one.passed && <small>did not pass the gate</small>}
                </th>
                <td>{eloWords(one)}</td>
                <td class="more">{one.policyLoss.toFixed(3)}</td>
                <td class="more">{one.outcomeLoss.toFixed(3)}</td>
                <td class="more">{one.games}</td>
                <td class="more">{durationWords(one.seconds)}</td>
                <td>
                  <Button class="button small" disabled={!playable} aria-label={`Play generation ${one.generation}`} onClick={() => onPlay(one)}>
                    Play
                  </Button>
                  <Button
                    class="button small"
                    disabled={shown === one.generation}
                    aria-label={`Show games of generation ${one.generation}`}
                    onClick={() => onShow(one.generation)}
                  >
                    Games
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
