// A table of one account's ratings, by game and speed.
import type { RatingInfo } from "../api.gen.ts";
import type { Offered } from "../catalogue.ts";
import { countWords, pathOfList, ratedWords, speedWord, valueWords } from "./words.ts";

export function RatingsTable({ ratings, offered }: { ratings: RatingInfo[]; offered: Offered }) {
  return (
    <>
      <table class="ratings">
        <thead>
          <tr>
            <th scope="col">Game</th>
            <th scope="col">Rating</th>
            <th scope="col">Games</th>
          </tr>
        </thead>
        <tbody>
          {ratings.map((rating) => (
            <tr key={`${rating.game}-${rating.timeClass}`}>
              <th scope="row">
                <a href={pathOfList(rating.game, rating.timeClass)}>{ratedWords(offered, rating.game)}</a>
                <small>{speedWord(rating.timeClass)}</small>
              </th>
              <td>
                {valueWords(rating)}
                {rating.provisional && <small>provisional</small>}
              </td>
              <td>{countWords(rating)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {ratings.some((rating) => rating.provisional) && (
        <p class="quiet-note">A provisional rating is still uncertain. After more rated games it becomes established and enters the ranking.</p>
      )}
    </>
  );
}
