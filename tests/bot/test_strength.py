"""A bot tells its strength in the words of its game's players."""

import pytest

from ludus.bot.strength import strength_words
from ludus.engine.ladder import Ladder, Rung, Yardstick
from ludus.games.go.ranks import rank_words

LADDER = Ladder("", 20, [Rung("30,10", 516, 247), Rung("300", 2211, 334, 1695, 150)])


@pytest.mark.parametrize(
    ("rating", "rank"),
    [(2100, "1 dan"), (2340, "3 dan"), (2049, "1 kyu"), (1100, "10 kyu"), (-900, "30 kyu"), (-2000, "30 kyu")],
)
def test_go_counts_ranks_in_kyu_and_dan(rating, rank):
    assert rank_words(rating, 30) == f"{rank} ± 1"
    assert rank_words(rating, 260) == f"{rank} ± 3"


def test_ratings_relative_to_random_play_are_called_that():
    words = strength_words(LADDER, "connect4")
    assert [each.value for each in words] == ["520 ± 250 Elo", "2,210 ± 330 Elo"]
    assert "random moves" in words[0].source
    assert strength_words(LADDER, "go")[0].value == "520 ± 250 Elo", "no rank can be told without a yardstick"


def test_a_yardstick_gives_ranks_where_the_game_has_them():
    placed = Ladder("", 20, LADDER.levels, yardstick=Yardstick("300", 1409, 66, "200 games against GNU Go"))
    assert [each.value for each in strength_words(placed, "go")] == ["24 kyu ± 2", "7 kyu ± 1"]
    assert strength_words(placed, "chess")[1].value == "1,410 ± 70 Elo"
    assert strength_words(placed, "go")[0].source.startswith("Measured in 200 games against GNU Go, ")
