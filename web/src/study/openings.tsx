// The opening explorer: the moves that the site's finished games played in the position, with results and sample games.
import { useEffect, useRef, useState } from "preact/hooks";
import type { OpeningMove, OpeningsView } from "../api.gen.ts";
import { openings } from "../api.ts";
import { sidesOf } from "../board/colours.ts";
import { Button } from "../button.tsx";
import { percent } from "../chances.ts";
import { counted } from "../game/words.ts";
import { prefer, usePrefs } from "../prefs.ts";
import type { Root, Study } from "./use-study.ts";

const REST_MS = 200; // no requests for positions that are only passed
const MOST_KEPT = 200;

interface ExplorerProps {
  root: Root;
  study: Study;
  /** The actions that lead to the position on the board. */
  actions: number[];
}

export function Explorer({ root, study, actions }: ExplorerProps) {
  const { explorer } = usePrefs();
  const { found, isFresh, trouble } = useOpenings(root, actions, explorer);
  return (
    <details class="panel explorer" open={explorer} onToggle={(event: Event) => prefer({ explorer: (event.currentTarget as HTMLDetailsElement).open })}>
      <summary>
        <h2>Openings</h2>
        {found && <small>{counted(found.games, "game")} on this site</small>}
      </summary>
      {trouble && <p class="quiet-note">{trouble}</p>}
      {found && <Book found={found} isFresh={isFresh} study={study} ply={actions.length} />}
    </details>
  );
}

interface BookProps {
  found: OpeningsView;
  /** Whether these are the openings of the position on the board. */
  isFresh: boolean;
  study: Study;
  ply: number;
}

function Book({ found, isFresh, study, ply }: BookProps) {
  const { board, players: names, ply: before } = study.view;
  const told = ({ text, actions }: OpeningMove) => [{ text, player: found.toPlay, ply: before + actions.length, clocks: null }];
  return (
    <div class={isFresh ? "book" : "book stale"}>
      {found.moves.length > 0 && (
        <div class="openings-scroll">
          <table class="openings" style={sidesOf(board)}>
            <thead>
              <tr>
                <th scope="col">Move</th>
                <th scope="col">Games</th>
                <th scope="col">Result</th>
                <th scope="col">
                  <abbr title="Average rating of the players of this move">Rating</abbr>
                </th>
              </tr>
            </thead>
            <tbody>
              {found.moves.map((move) => (
                <tr key={move.text}>
                  <th scope="row">
                    <Button class="move" disabled={!isFresh} onClick={() => study.playLine(move.actions, told(move))}>
                      {move.text}
                    </Button>
                  </th>
                  <td>{move.games}</td>
                  <td>
                    <Results move={move} names={[names[0], names[1]]} />
                  </td>
                  <td>{move.rating ?? "–"}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {found.samples.length > 0 && (
        <ul class="samples" aria-label="Games with this position">
          {found.samples.map(({ move, game }) => (
            <li key={game.id}>
              <a href={`/replay/${encodeURIComponent(game.id ?? "")}?ply=${ply}`}>
                <span>
                  {game.players[0].name} – {game.players[1].name}
                </span>
                <strong>{game.winner === null ? "½–½" : game.winner === 0 ? "1–0" : "0–1"}</strong>
                <small>
                  {move}, {new Date((game.finished ?? 0) * 1000).toLocaleDateString()}
                </small>
              </a>
            </li>
          ))}
        </ul>
      )}
      {found.games === 0 && <p class="quiet-note">No finished game of this site has had this position in its first {found.mostMoves} moves.</p>}
      {!found.complete && <p class="quiet-note">Some games are still being counted.</p>}
    </div>
  );
}

/** The shares of the results of a move, as a bar. */
function Results({ move: { games, wins }, names }: { move: OpeningMove; names: [string, string] }) {
  const share = (count: number) => (100 * count) / games;
  const draws = games - wins[0] - wins[1];
  const words = `${names[0]} won ${percent(share(wins[0]))}, nobody ${percent(share(draws))}, ${names[1]} won ${percent(share(wins[1]))}`;
  const part = (count: number, look: string) => count > 0 && <span class={look} style={{ flexGrow: count }}>{share(count) >= 20 && percent(share(count))}</span>;
  return (
    <div class="results" role="img" aria-label={words} title={words}>
      {part(wins[0], "first")}
      {part(draws, "neither")}
      {part(wins[1], "second")}
    </div>
  );
}

/** The openings of the position after `actions` while `on`; those of the position before until they are known. */
function useOpenings(root: Root, actions: number[], on: boolean): { found: OpeningsView | null; isFresh: boolean; trouble: string } {
  const known = useRef(new Map<string, OpeningsView>());
  const [shown, setShown] = useState<{ key: string; found: OpeningsView } | null>(null);
  const [trouble, setTrouble] = useState("");
  const key = actions.join(" ");
  useEffect(() => {
    if (!on) return;
    const take = (found: OpeningsView) => {
      known.current.set(key, found);
      if (known.current.size > MOST_KEPT) known.current.delete([...known.current.keys()][0] ?? "");
      setTrouble("");
      setShown({ key, found });
    };
    const old = known.current.get(key);
    if (old) return take(old);
    let gone = false;
    const ask = () =>
      openings({ spec: root.spec, setup: root.setup, moves: root.before, actions }).then(
        (found) => !gone && take(found),
        (error: Error) => !gone && (setShown(null), setTrouble(error.message)),
      );
    const timer = setTimeout(() => void ask(), REST_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [key, on]);
  return { found: shown?.found ?? null, isFresh: shown?.key === key, trouble };
}
