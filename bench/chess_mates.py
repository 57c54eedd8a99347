"""Makes mate-in-one puzzles, in Lichess's CSV format, from recorded games: input of `ludus grade`.

    python bench/chess_games.py ENGINE --games 150 --seed 77 --won 200000 --out games.pgn
    python bench/chess_mates.py games.pgn --out mates.csv
    ludus grade chess MODEL --puzzles mates.csv --visits 1 --visits 100

Each game gives the first position in which the player to move can mate at once, whatever was played.
"""

import argparse
import csv
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.pgn

COLUMNS = ("PuzzleId", "FEN", "Moves", "Rating", "Themes")
RATING = 1000  # unknown; the column needs a number


def games_in(path: Path) -> Iterator[chess.pgn.Game]:
    """Yield the games of a PGN file."""
    with path.open() as file:
        while game := chess.pgn.read_game(file):
            yield game


def first_mate(game: chess.pgn.Game) -> tuple[str, str, str] | None:
    """Return the position before the opponent's move, that move, and a mate in reply; None if there is none."""
    board = game.board()
    for move in game.mainline_moves():
        before = board.fen()
        board.push(move)
        for answer in board.legal_moves:
            board.push(answer)
            mates = board.is_checkmate()
            board.pop()
            if mates:
                return before, move.uci(), answer.uci()
    return None


def main() -> None:
    """Write a puzzle for each game that contains one."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    count = made = 0
    with given.out.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(COLUMNS)
        for count, game in enumerate(games_in(given.games), 1):
            if found := first_mate(game):
                fen, move, answer = found
                rows.writerow([f"m{count}", fen, f"{move} {answer}", RATING, "mateIn1"])
                made += 1
    print(f"{made} puzzles from {count} games")


if __name__ == "__main__":
    main()
