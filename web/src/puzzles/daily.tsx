// The puzzle of the day: a small card with its position, which leads to the puzzle.
import { useAnswer } from "../answer.ts";
import { dailyPuzzle } from "../api.ts";
import { sidesOf } from "../board/colours.ts";
import { BoardPicture } from "../board/drawing.tsx";
import { solved } from "./solved.ts";

export function DailyPuzzle() {
  const { found } = useAnswer(dailyPuzzle, []);
  if (!found?.puzzle) return null;
  const { game, puzzle } = found;
  const { board, players } = puzzle.view;
  return (
    <section class={`daily-puzzle ${board.style}`} aria-label="Puzzle of the day" style={sidesOf(board)}>
      <a class="daily-card" href={`/puzzles/${encodeURIComponent(game)}/${encodeURIComponent(puzzle.id)}`}>
        <span class="picture" aria-hidden="true">
          <BoardPicture board={{ ...board, choices: [] }} label="" />
        </span>
        <span class="words">
          <strong>Puzzle of the day</strong>
          <span>{puzzle.title}</span>
          <small>{solved().has(puzzle.id) ? "You have solved it." : `${players[puzzle.player === 1 ? 1 : 0]} to move`}</small>
        </span>
      </a>
    </section>
  );
}
