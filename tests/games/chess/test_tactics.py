"""Puzzles of chess are read from Lichess's CSV files; faulty files are refused with the line."""

import pytest

from ludus.errors import BadInput
from ludus.games.chess.tactics import read_tactics
from ludus.games.solved import TacticPuzzle

HEAD = "PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags"
MATE = "aaa,6k1/5ppp/7q/8/8/8/5PPP/1R4K1 b - - 0 1,h6h5 b1b8,612,80,90,100,mate mateIn1 short,https://x/1,"
LONG = "bbb,4k3/8/8/8/6q1/2K5/4R3/R7 b - - 0 1,g4e4 a1a8 e8d7 e2e4,1410,80,90,100,skewer long,https://x/2,"


def test_each_line_is_a_puzzle(tmp_path):
    path = tmp_path / "puzzles.csv"
    path.write_text("\n".join((HEAD, MATE, LONG)) + "\n")
    first, second = read_tactics(path)
    assert first == TacticPuzzle(
        name="aaa",
        setup="6k1/5ppp/7q/8/8/8/5PPP/1R4K1 b - - 0 1",
        moves=("h6h5", "b1b8"),
        rating=612,
        themes=("mate", "mateIn1", "short"),
        line=2,
    )
    assert (second.name, second.moves, second.line) == ("bbb", ("g4e4", "a1a8", "e8d7", "e2e4"), 3)


def test_a_file_that_cannot_be_read_is_refused(tmp_path):
    path = tmp_path / "puzzles.csv"
    with pytest.raises(BadInput, match="cannot be read"):
        list(read_tactics(path))
    path.write_bytes(b"\xff\xfe\xfa")
    with pytest.raises(BadInput, match="cannot be read"):
        list(read_tactics(path))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("FEN,Moves\n", "line 1: lacks the column Rating, Themes"),
        (f"{HEAD}\naaa,fen,e2e4,600,,,,x,,\n", "line 2: not a valid puzzle"),
        (f"{HEAD}\naaa,fen,e2e4 e7e5,many,,,,x,,\n", "line 2: not a valid puzzle"),
        (f"{HEAD}\n{MATE}\n{LONG.replace(' e2e4,', ',')}\n", "line 3: not a valid puzzle .each move of the opp"),
        (f"{HEAD}\n{MATE.replace('h6h5 b1b8', '')}\n", "line 2: not a valid puzzle .each move of the opponent needs"),
    ],
)
def test_a_file_that_is_wrong_is_refused_with_its_line(tmp_path, text, complaint):
    path = tmp_path / "wrong.csv"
    path.write_text(text)
    with pytest.raises(BadInput, match=complaint):
        list(read_tactics(path))
