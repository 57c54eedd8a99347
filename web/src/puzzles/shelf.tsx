// The list of games with puzzles, and how many of them are solved.
import { useAnswer } from "../answer.ts";
import type { Answered } from "../answer.ts";
import type { PuzzleGame } from "../api.gen.ts";
import { puzzleGames } from "../api.ts";
import { sidesOf } from "../board/colours.ts";
import { BoardPicture } from "../board/drawing.tsx";
import { solved } from "./solved.ts";
import { countWords } from "./words.ts";

/** Fetch the games that have puzzles. */
export function usePuzzleGames(): Answered<PuzzleGame[]> {
  return useAnswer(puzzleGames, []);
}

export function PuzzleShelf({ games }: { games: PuzzleGame[] }) {
  const done = solved();
  return (
    <ul class="shelf">
      {games.map((one) => (
        <li key={one.game} class={one.view.board.style} style={sidesOf(one.view.board)}>
          <a class="card" href={`/puzzles/${encodeURIComponent(one.game)}`}>
            <span class="picture" aria-hidden="true">
              <BoardPicture board={one.view.board} label="" />
            </span>
            <span class="words">
              <strong>{one.title}</strong>
              <span>{countWords(one.puzzles, done)}</span>
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}
