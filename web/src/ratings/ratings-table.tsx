// Somebody's ratings, a line for each game and speed.
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
            <th scope="col">From</th>
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
                {rating.provisional && <small>not settled yet</small>}
              </td>
              <td>{countWords(rating)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {ratings.some((rating) => rating.provisional) && (
        <p class="quiet-note">A rating that is not settled yet becomes surer with every rated game, and then stands in the list of the best.</p>
      )}
    </>
  );
}
