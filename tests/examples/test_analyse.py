"""The example client of the analysis protocol is short and prints a line per position."""

from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "examples" / "analyse.py"


@pytest.fixture(scope="module")
def client(load_program):
    return load_program("examples/analyse.py")


def test_the_client_fits_on_a_page():
    assert len(SOURCE.read_text().splitlines()) <= 60


def test_a_game_is_analysed_move_by_move(client, capsys):
    assert client.main(["tictactoe", "--visits", "50", "a1", "a2", "b1", "b2", "c1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 6
    assert lines[5] == "  5  player 0 wins 100 %  three in a line"
    assert "best c1, played c1" in lines[4]
    assert "played b2" in lines[3]


def test_an_error_is_printed_in_one_sentence(client, capsys):
    assert client.main(["tictactoe", "a1", "a1"]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("Move 2: ")
