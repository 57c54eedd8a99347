// One row in a list of finished games; it links to the replay, and account names link to their pages.
import type { GameSummary } from "../api.gen.ts";
import { Chip } from "../board/chip.tsx";
import { boardWords, choosesColours, lookOf } from "../catalogue.ts";
import type { Offered } from "../catalogue.ts";
import { Clipped } from "../clipped.tsx";
import { counted } from "../game/words.ts";
import { pathOf } from "../ratings/words.ts";

export function GameRow({ game, offered }: { game: GameSummary; offered: Offered }) {
  const name = (player: 0 | 1) => {
    const who = game.players[player];
    return (
      <Clipped class={game.winner === player ? "winner" : ""}>
        <Chip owner={choosesColours(offered.choices, game) ? null : player} /> {who.kind === "account" ? <a href={pathOf(who.name)}>{who.name}</a> : who.name}
        {who.rating !== null && <small> {who.rating}</small>}
      </Clipped>
    );
  };
  const [boardWidth = 0, boardHeight = 0] = game.size.split("x").map(Number);
  const day = new Date((game.finished ?? 0) * 1000);
  const result = game.winner === null ? "½–½" : game.winner === 0 ? "1–0" : "0–1";
  return (
    <li {...lookOf(offered.entries, game.game)}>
      <div class="game-row">
        <span class="pair">
          {name(0)}
          {name(1)}
        </span>
        <strong class="score">{result}</strong>
        <a class="about whole" href={`/replay/${encodeURIComponent(game.id ?? "")}`}>
          {boardWords(offered, { ...game, boardWidth, boardHeight })}
          <small>
            {counted(game.numMoves, "move")}
            {game.ending && `, ${game.ending}`}
          </small>
        </a>
        <time dateTime={day.toISOString()}>{day.toLocaleDateString()}</time>
      </div>
    </li>
  );
}
