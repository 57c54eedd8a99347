"""Recorded games: writing, reading, and errors for damaged records."""

import contextlib
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludus
from ludus.errors import BadGame, BadNotation, IllegalMove
from ludus.games.annotations import GameTree, RecordLine, RecordMove
from ludus.games.plain import PLAIN
from ludus.games.recorded import MAX_CHARS, Recorded, game_told, read_record, write_record
from ludus.games.records import RESULTS, RecordHeader, result_of

words = st.text(min_size=1, max_size=12).filter(lambda text: "\x00" not in text)
names = st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,12}", fullmatch=True).filter(lambda name: name != "Result")
values = st.text(st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"]), max_size=30)


def played(spec, seed, setup=None):
    position, chance = ludus.game(spec).start(setup), random.Random(seed)
    while position.outcome is None and position.num_actions_played < 60:
        position = position.play(chance.choice(position.actions))
    return position


def replayed(text):
    (game,) = PLAIN.read(text)
    return game.positions(game_told(game.spec))[-1]


@settings(deadline=None)
@given(st.dictionaries(names, values, max_size=5), st.lists(words, max_size=20), st.sampled_from(RESULTS))
def test_a_written_record_is_read_back(tags, moves, result):
    line = RecordLine(moves=list(map(RecordMove, moves)))
    assert read_record(write_record(Recorded(tags, line, result))) == Recorded(tags | {"Result": result}, line, result)


@pytest.mark.parametrize("spec", ["tictactoe", "connect4", "chess"])
@pytest.mark.parametrize("seed", range(3))
def test_a_game_is_replayed_from_its_record(spec, seed):
    position = played(spec, seed)
    outcome = position.outcome
    result = result_of(outcome and outcome.winner, over=outcome is not None)
    text = PLAIN.write(GameTree(position), RecordHeader(names=('Ann "the \\ lion" {x}', "?"), result=result))
    again = replayed(text)
    assert again.moves == position.moves
    assert (again.state == position.state).all()


def test_a_setup_is_written_and_read():
    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    position = ludus.game("chess").start(fen).play("e4")
    text = PLAIN.write(GameTree(position), RecordHeader())
    assert f'[Setup "\\"{fen}\\""]' in text
    assert (replayed(text).state == position.state).all()


def test_lines_are_short_and_moves_are_numbered_by_pairs():
    text = write_record(Recorded({"Game": "x"}, RecordLine(moves=[RecordMove("move")] * 60)))
    assert max(map(len, text.splitlines())) <= 100
    assert "1. move move 2. move move" in text
    assert text.endswith("\n*\n")


def test_comments_and_windows_line_ends_are_skipped():
    text = '[Game "connect4"]\r\n\r\n1. 4 {the middle} 4 ; a reply\r\n2. 3\r\n*\r\n'
    assert read_record(text).moves == ["4", "4", "3"]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('[Game "a"]\n[Game "b"]', "Line 2: the tag Game is repeated"),
        ('[Game "a"]\n\n1. x {never', "Line 3: a comment has no closing brace"),
        ("1. x ]", r"Line 1: '\]' is not part of a record"),
        ("1. x * y", "continues after its result"),
        ('[Result "2-0"]', "'2-0' is not a result"),
        ('1. "\\q"', "is no JSON"),
        ("x" * (MAX_CHARS + 1), "at most 200000 are allowed"),
    ],
)
def test_damage_is_named(text, sentence):
    with pytest.raises(BadNotation, match=sentence):
        read_record(text)


@pytest.mark.parametrize(
    ("text", "error", "sentence"),
    [
        ("1. 4", BadNotation, "no tag Game"),
        ('[Game "nonsense"]', BadGame, "no game 'nonsense'"),
        ('[Game "/etc/x.py"]', BadGame, "cannot name a file"),
        ('[Game "connect4"]\n1. 4 4 2. 99', BadNotation, "Move 2: "),
        ('[Game "tictactoe"]\n1. b2 b2', IllegalMove, "Move 1: "),
        ('[Game "chess"]\n[Setup "[[["]', BadNotation, "Setup is not JSON"),
        ('[Game "connect4"]\n[Setup "1"]', BadNotation, "leave out the setup"),
    ],
)
def test_an_unplayable_record_is_refused_with_the_reason(text, error, sentence):
    with pytest.raises(error, match=sentence):
        replayed(text)


def test_results_are_written_as_in_chess():
    assert [result_of(winner, over=True) for winner in (0, 1, None)] == ["1-0", "0-1", "1/2-1/2"]
    assert result_of(None, over=False) == "*"


@settings(deadline=None)
@given(st.text(max_size=200))
def test_any_text_is_read_or_refused(text):
    with contextlib.suppress(BadNotation):
        assert read_record(text).result in RESULTS
