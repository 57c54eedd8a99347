"""UCI: parsing commands, converting scores, and formatting answers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.protocol import uci
from ludus.protocol.uci import Debug, GoCommand, Info, Option, Plain, Score, SetOption, SetPosition, read

FEN = "4k3/8/8/8/8/8/4P3/4K3 w - - 5 39"


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("uci", Plain("uci")),
        ("  isready\t", Plain("isready")),
        ("joho debug on", Debug(on=True)),
        ("debug off", Debug(on=False)),
        ("stop now", Plain("stop")),
        ("setoption name Move Overhead value 30", SetOption("Move Overhead", "30")),
        ("setoption name Clear Hash", SetOption("Clear Hash")),
        ("setoption name NalimovPath value c:\\chess tb\\4", SetOption("NalimovPath", "c:\\chess tb\\4")),
        ("position startpos", SetPosition()),
        ("position startpos moves e2e4 e7e5", SetPosition("", ("e2e4", "e7e5"))),
        (f"position fen {FEN}", SetPosition(FEN)),
        (f"position fen {FEN} moves e2e4", SetPosition(FEN, ("e2e4",))),
        ("go", GoCommand()),
        ("go infinite", GoCommand(infinite=True)),
        (
            "go ponder wtime 1000 btime 2000 winc 10 binc 20 movestogo 5",
            GoCommand(ponder=True, times=(1000, 2000), increments=(10, 20), movestogo=5),
        ),
        ("go searchmoves e2e4 d2d4 infinite", GoCommand(searchmoves=("e2e4", "d2d4"), infinite=True)),
        ("go infinite searchmoves e2e4", GoCommand(searchmoves=("e2e4",), infinite=True)),
        ("go depth 5 nodes 700 mate 3 movetime 100", GoCommand(depth=5, nodes=700, mate=3, movetime=100)),
        ("go perft 4", GoCommand(perft=4)),
        ("go wtime -50 btime 10", GoCommand(times=(-50, 10))),
        ("go depth five nodes 3 oddly", GoCommand(nodes=3, strange=("depth", "five", "oddly"))),
        ("go movetime", GoCommand(strange=("movetime",))),
    ],
)
def test_lines_are_parsed_as_commands(line, command):
    assert read(line) == command


@pytest.mark.parametrize(
    "line", ["", "   ", "hello there", "position", "position fen", "setoption", "setoption value 3", "UCI"]
)
def test_meaningless_lines_are_not_commands(line):
    assert read(line) is None


WORDS = [
    "go",
    "position",
    "setoption",
    "name",
    "value",
    "fen",
    "moves",
    "searchmoves",
    "wtime",
    "-1",
    "9" * 30,
    "depth",
]


@given(st.lists(st.one_of(st.sampled_from([*WORDS, *uci.COMMANDS.pattern.split("|")]), st.text(max_size=5))))
def test_arbitrary_lines_can_be_parsed(words):
    read(" ".join(words))


def test_options_are_formatted_with_their_ranges():
    assert str(Option("Hash", "spin", 16, 1, 64)) == "option name Hash type spin default 16 min 1 max 64"
    assert str(Option("Ponder", "check", default=False)) == "option name Ponder type check default false"
    assert str(Option("Clear Hash", "button")) == "option name Clear Hash type button"
    assert str(Option("Book", "string")) == "option name Book type string default <empty>"


def test_info_lines_have_the_usual_order():
    full = Info(3, Score(12), 4, 1, (400, 300, 300), 100, 1000, 5, 99, ["e2e4", "e7e5"])
    assert str(full) == (
        "info depth 3 seldepth 4 multipv 1 score cp 12 wdl 400 300 300 nodes 100 nps 1000 hashfull 5 tbhits 0 time 99 "
        "pv e2e4 e7e5"
    )
    assert str(Info(0, Score(mate=0))) == "info depth 0 score mate 0"


def test_centipawns_are_those_of_the_formula():
    assert [uci.centipawns(value) for value in (0.0, 0.25, -0.5, 1.0, -1.0)] == [0, 46, -111, 12_800, -12_800]


@given(st.floats(-1, 1), st.floats(-1, 1))
def test_a_better_value_is_never_worth_fewer_centipawns(one, other):
    low, high = sorted((one, other))
    assert uci.centipawns(low) <= uci.centipawns(high)
    assert uci.centipawns(-low) == -uci.centipawns(low)


@given(st.floats(-1, 1), st.floats(0, 1))
def test_wins_draws_and_losses_are_a_thousand_games_with_that_value(value, draw):
    wins, draws, losses = uci.win_draw_loss(value, draw)
    assert min(wins, draws, losses) >= 0
    assert wins + draws + losses == 1000
    assert wins - losses == pytest.approx(1000 * value, abs=2)


def test_a_best_move_may_have_a_ponder_move():
    assert uci.best_move("e2e4") == "bestmove e2e4"
    assert uci.best_move("e2e4", "e7e5") == "bestmove e2e4 ponder e7e5"
