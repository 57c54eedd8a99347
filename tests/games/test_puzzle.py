"""Files of puzzles: reading, repeated entries, and errors for damaged and foreign files."""

import msgspec
import pytest

import ludus
from ludus import lines
from ludus.errors import BadInput, BadRecord, IllegalMove, Unavailable
from ludus.games.puzzle import Mined, Mining, Puzzle, begin_of, ends_of, name_of, read_puzzles

MINING = Mining("tiny", "0123", 30, 2000, 0.7, 0.5, 0.15, 3)
PUZZLE = Puzzle(
    id="0123456789ab",
    spec="tictactoe",
    setup=None,
    moves=["a1", "a2", "b1", "b2"],
    right=["c1"],
    played="c3",
    value=1.0,
    value_played=-1.0,
    wrong="c2",
    value_wrong=0.0,
    value_short=0.1,
    proof=1,
    prior=0.2,
    line=["c1"],
)


def file_of(path, *mined):
    lines.begin(path, MINING)
    for each in mined:
        lines.append(path, each)
    return path


def test_repeated_entries_of_two_commands_count_once(tmp_path):
    one, twin = Mined("g1", 4, {"kept": 3}, [PUZZLE]), Mined("g2", 5, {}, [PUZZLE])
    mining, mined = read_puzzles(file_of(tmp_path / "p", one, one, twin))
    assert mining == MINING
    assert [(each.game, len(each.puzzles)) for each in mined] == [("g1", 1), ("g2", 0)]


def test_a_torn_last_line_is_left_out(tmp_path):
    path = file_of(tmp_path / "p", Mined("g1", 4, {}, [PUZZLE]))
    path.write_bytes(path.read_bytes() + b'{"game":"g2"')
    assert len(read_puzzles(path)[1]) == 1


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "the file is empty"),
        (b"hello\n", "line 1: there is no checksum"),
        (lines.sealed(Mined("g", 1, {}, [])), "not a file of puzzles"),
        (lines.sealed(MINING).replace(b"tiny", b"tinx"), "line 1: is damaged"),
    ],
)
def test_a_file_of_another_kind_is_refused(tmp_path, content, complaint):
    (tmp_path / "p").write_bytes(content)
    with pytest.raises(BadRecord, match=complaint):
        read_puzzles(tmp_path / "p")


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(Unavailable, match="nowhere: cannot be read"):
        read_puzzles(tmp_path / "nowhere")


def test_a_puzzles_position_is_reached_by_its_moves():
    begin = begin_of(PUZZLE, ludus.game("tictactoe"))
    assert begin.moves == PUZZLE.moves
    assert ends_of(PUZZLE, begin) == {begin.play("c1").state.tobytes(): "c1"}


@pytest.mark.parametrize(
    ("fault", "complaint"),
    [
        ({"moves": ["a1", "a1"]}, "The puzzle 0123456789ab: Move 1: .*may not be played"),
        ({"moves": ["a1", "a2", "b1", "b2", "c1"]}, "the game is over at its position"),
        ({"right": ["a1"]}, "The puzzle 0123456789ab"),
        ({"right": []}, "its list of right moves is empty"),
    ],
)
def test_an_unplayable_puzzle_is_refused_with_the_reason(fault, complaint):
    puzzle = msgspec.structs.replace(PUZZLE, **fault)
    with pytest.raises(BadInput, match=complaint):
        ends_of(puzzle, begin_of(puzzle, ludus.game("tictactoe")))


def test_an_incomplete_move_is_not_a_right_move():
    puzzle = msgspec.structs.replace(PUZZLE, spec="wallgame:classic:5x5", moves=[], right=["Cb5"])
    with pytest.raises(BadInput, match="Cb5 is too short"):
        ends_of(puzzle, begin_of(puzzle, ludus.game("wallgame:classic:5x5")))


def test_mirrored_positions_have_one_name():
    game = ludus.game("tictactoe")
    corners = [name_of(game.start().play(corner), "tictactoe") for corner in ("a1", "c1", "a3", "c3")]
    assert len({*corners}) == 1
    assert name_of(game.start().play("b1"), "tictactoe") != corners[0]
    assert name_of(game.start().play("a1"), "other") != corners[0]


def test_an_illegal_move_is_refused():
    puzzle = msgspec.structs.replace(PUZZLE, right=["a1"])
    with pytest.raises(IllegalMove):
        ends_of(puzzle, begin_of(puzzle, ludus.game("tictactoe")))
