"""Black's moves in the beginning count as handicap stones; the expected values are those of KataGo's own tests."""

import pytest

from ludus.games.go.layout import BONUS
from ludus.games.packed import read_field


def counted(desk, *lines):
    """Send lines; return the number of handicap stones and White's points after each of them."""
    found = []
    for line in lines:
        assert desk.ask(line) == "=", line
        position = desk.talker._board.position
        found.append((int(desk.ask("get_handicap").removeprefix("= ")), read_field(position.state, BONUS)))
    return found


@pytest.mark.parametrize(
    ("rules", "moves", "expected"),
    [
        ("chinese", ["b D6", "b D5", "b D4"], [(0, 0), (2, 2), (3, 3)]),
        ("aga", ["b D6", "b D5", "b D4"], [(0, 0), (2, 1), (3, 2)]),
        ("tromp-taylor", ["b D6", "b D5", "b D4"], [(0, 0), (2, 0), (3, 0)]),
        (
            "aga",
            ["b D6", "w pass", "b D5", "w pass", "b D4", "w D3", "b D2"],
            [(0, 0), (0, 0), (2, 1), (2, 1), (3, 2), (3, 2), (3, 2)],
        ),
        ("chinese", ["b D6", "w D5", "b D4", "w pass", "b D3", "b D2"], [(0, 0)] * 6),
        ("chinese", ["b D6", "b D5", "w G3", "w G4", "b G5"], [(0, 0), (2, 2), (2, 2), (0, 0), (0, 0)]),
        ("chinese", ["w D6", "b D5", "b D4"], [(0, 0)] * 3),
    ],
)
def test_moves_of_black_before_the_first_stone_of_white_are_handicap_stones(desk, rules, moves, expected):
    assert desk.ask(f"kata-set-rules {rules}") == "="
    assert counted(desk, *(f"play {move}" for move in moves)) == expected


def test_fixed_handicap_stones_and_further_moves_of_black_count_together(desk):
    desk.ask("kata-set-rules chinese")
    assert desk.ask("fixed_handicap 2") == "= G7 C3"
    assert counted(desk, "play b E5", "play w C7", "undo", "undo") == [(3, 3), (3, 3), (3, 3), (2, 2)]


def test_handicap_stones_follow_a_change_of_rules_and_undone_moves(desk):
    desk.ask("kata-set-rules chinese")
    lines = ("play b D4", "play b E5", "kata-set-rules aga", "play w C3", "undo", "undo", "play w E5")
    assert counted(desk, *lines) == [(0, 0), (2, 2), (2, 1), (2, 1), (2, 1), (0, 0), (0, 0)]


def test_handicap_stones_of_a_record_count_as_if_they_were_played(desk, tmp_path):
    path = tmp_path / "game.sgf"
    path.write_text("(;SZ[9]RU[Chinese];B[cc];B[gg];W[ee])")
    assert counted(desk, f"loadsgf {path}", "undo", "undo") == [(2, 2), (2, 2), (0, 0)]
    path.write_text("(;SZ[9]RU[Chinese]AB[cc][gg][cg];W[ee])")
    assert counted(desk, f"loadsgf {path}", "play b E6", "undo") == [(3, 3)] * 3
    path.write_text("(;SZ[9]RU[Chinese]HA[2]AB[cc][gg]AW[ee];W[ef])")
    assert counted(desk, f"loadsgf {path}", "play b E6") == [(2, 2)] * 2, "white stones: the record's number"


def test_a_long_game_counts_its_handicap_stones_in_little_time(desk):
    desk.ask("kata-set-rules chinese")
    counted(desk, "play b A1", "play b C1", *(f"play {'wb'[number % 2]} pass" for number in range(200)))
    assert desk.ask("get_handicap") == "= 2"
