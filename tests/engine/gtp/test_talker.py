"""A Go engine in conversation: dialogues as data, moves and analysis from a seat that needs no search."""

import json
from concurrent.futures import Future
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludus
from ludus.engine.gtp.talker import Settings, Talker
from ludus.players.thought import Candidate, Thought

ROOT = Path(__file__).parents[3]


class Seat:
    """Plays the first legal action, or waits until it is told to."""

    def __init__(self, position, asked, *, waits=False, value=0.5):
        self._position, self._asked, self._waits, self._value = position, asked, waits, value

    def thought(self, limits):
        only = limits.only or tuple(self._position.actions)
        candidates = [
            Candidate(action, 10 - index, self._value, 0.25, line=[action]) for index, action in enumerate(only[:3])
        ]
        return Thought([only[0]], self._value, 0.0, 30, candidates, [only[0]])

    def ask_within(self, limits, temperature=0.0, news=None):
        del temperature
        future = Future()
        self._asked.append((limits, news, future, self))
        if not self._waits:
            if news:
                news.tell(self.thought(limits))
            future.set_result(self.thought(limits))
        return future


class WhiteHasAll:
    """A network that expects every point to be White's."""

    def maps(self, planes):
        white = planes[:, 8].max() == 0  # plane 8: the mover is Black
        maps = np.zeros((1, 2, *planes.shape[2:]), np.float32)
        maps[:, 0 if white else 1] = 1.0
        return maps


class Desk:
    """An engine, and what it said."""

    def __init__(self, *, evaluator=None, **seat):
        self.said, self.asked, self.posted, self.busy = [], [], [], False
        self.talker = Talker(
            "Test",
            lambda size, rules: ludus.game(f"go:{size}x{size}:{rules}"),
            lambda position: Seat(position, self.asked, **seat),
            self.post,
            self.said.append,
            evaluator=evaluator,
            settings=Settings(size=9),
        )

    def post(self, event):
        self.posted.append(event)

    def work(self):
        while self.posted:
            self.posted.pop(0)()

    def ask(self, line):
        """Return what is said to a line, without the blank line that closes it."""
        self.said.clear()
        self.talker.hear(line)
        self.work()
        return "\n".join(self.said).removesuffix("\n")


@pytest.fixture
def desk():
    return Desk()


DIALOGUE = [
    ("protocol_version", "= 2"),
    ("1 name", "=1 Test"),
    ("  7   known_command\tgenmove # a comment", "=7 true"),
    ("known_command castle", "= false"),
    ("# only a comment", ""),
    ("", ""),
    ("castle", "? unknown command"),
    ("12 castle", "?12 unknown command"),
    ("boardsize 25", "? unacceptable size"),
    ("boardsize nine", "? syntax error"),
    ("boardsize", "? syntax error"),
    ("boardsize 9", "="),
    ("komi 6.5", "="),
    ("komi lots", "? syntax error"),
    ("clear_board", "="),
    ("get_komi", "= 6.5"),
    ("play black D4", "="),
    ("play B d4", "? illegal move"),
    ("play w I5", "? syntax error"),
    ("play w K1", "? syntax error"),
    ("play red C3", "? syntax error"),
    ("play w", "? syntax error"),
    ("PLAY W E5", "="),
    ("play w pass", "="),
    ("play w F6", "="),
    ("list_stones white", "= F6 E5"),
    ("undo", "="),
    ("undo", "="),
    ("undo", "="),
    ("undo", "="),
    ("undo", "? cannot undo"),
    ("fixed_handicap 10", "? invalid number of stones"),
    ("fixed_handicap 1", "? invalid number of stones"),
    ("5 fixed_handicap 3", "=5 C7 G7 C3"),
    ("fixed_handicap 3", "? board not empty"),
    ("place_free_handicap 3", "? board not empty"),
    ("set_free_handicap C3 D4", "? board not empty"),
    ("get_handicap", "= 3"),
    ("clear_board", "="),
    ("set_free_handicap C3", "? bad vertex list"),
    ("set_free_handicap C3 C3", "? bad vertex list"),
    ("set_free_handicap C3 pass", "? bad vertex list"),
    ("set_free_handicap C3 G7 E5", "="),
    ("list_stones b", "= G7 E5 C3"),
    ("time_settings 60 10 1", "="),
    ("time_settings 60 ten 1", "? syntax error"),
    ("kgs-time_settings byoyomi 60 10 5", "="),
    ("kgs-time_settings sundial 60", "? syntax error"),
    ("time_left b 30 0", "="),
    ("time_left b", "? syntax error"),
    ("kgs-rules japanese", "? board not empty"),
    ("clear_board", "="),
    ("kgs-rules japanese", "="),
    ("kgs-rules of_thumb", "? syntax error"),
    ("loadsgf /nowhere.sgf", "? cannot load file"),
    ("final_status_list lost", "? syntax error"),
    ("quit", "="),
]


def test_every_command_is_answered_in_the_words_of_the_protocol(desk):
    assert [(line, desk.ask(line)) for line, _ in DIALOGUE] == DIALOGUE
    assert desk.talker.is_over


def test_what_another_engine_accepts_and_refuses_is_accepted_and_refused(desk):
    recorded = json.loads((ROOT / "tests/golden/go-gtp-gnugo.json").read_text())
    apart = {"name", "version", "showboard", "final_score", "2 name # trailing comment", "place_free_handicap 2"}
    for step in recorded:
        if (step["cmd"], step["raw"]) == ("place_free_handicap 2", "? board not empty"):
            continue  # after a command that it refused, it keeps the stones of it
        found = desk.ask(step["cmd"])
        assert found[:1] == step["raw"][:1], step["cmd"]
        if step["raw"].startswith("=") and step["cmd"] not in apart:
            assert found.split() == step["raw"].split(), step["cmd"]


def test_every_listed_command_is_known(desk):
    names = desk.ask("list_commands").removeprefix("= ").split("\n")
    required = "protocol_version name version known_command list_commands quit boardsize clear_board komi play genmove"
    assert set(required.split()) <= set(names)
    assert all(desk.ask(f"known_command {name}") == "= true" for name in names)


@settings(max_examples=150, deadline=None)
@given(lines=st.lists(st.text(max_size=40) | st.sampled_from([line for line, _ in DIALOGUE if line != "quit"])))
def test_whatever_is_said_gets_one_answer(lines):
    desk = Desk()
    for number, line in enumerate(lines):
        text = line.replace("\n", " ").replace("\r", " ")
        answer = desk.ask(f"{number} protocol_version")
        assert answer == f"={number} 2"
        assert desk.ask(text)[:1] in ("", "=", "?")
        assert len(desk.said) <= 1 or "analyze" in text


# ---- moves -----------------------------------------------------------------------------------------------------------


def test_a_move_is_made_and_said(desk):
    assert desk.ask("3 genmove b") == "=3 A9"
    assert desk.ask("genmove b") == "= B9"
    assert desk.ask("list_stones b") == "= A9 B9"
    assert desk.ask("reg_genmove w") == "= C9"
    assert desk.ask("list_stones w") == "="


def test_a_hopeless_position_is_resigned_where_that_is_wanted():
    desk = Desk(value=-0.99)
    desk.talker._settings = Settings(size=9, resign_below=-0.9)
    assert desk.ask("genmove w") == "= A9"
    assert desk.ask("genmove b") == "= resign"
    assert desk.ask("list_stones b") == "="


def test_commands_wait_for_a_move_that_is_searched():
    desk = Desk(waits=True)
    assert desk.ask("1 genmove b") == ""
    assert desk.ask("2 name") == ""
    limits, _, future, seat = desk.asked[0]
    future.set_result(seat.thought(limits))
    desk.work()
    assert desk.said == ["=1 A9\n", "=2 Test\n"]


def test_the_game_goes_on_after_two_passes(desk):
    for line in ("play b pass", "play w pass", "play b E5"):
        assert desk.ask(line) == "="
    assert desk.ask("genmove w") == "= A9"


def test_clocks_bound_the_search(desk):
    def seconds(*lines):
        for line in ("clear_board", *lines, "genmove b"):
            desk.ask(line)
        return desk.asked[-1][0].seconds

    assert seconds("time_settings 0 0 0") == float("inf")
    assert seconds("time_settings 0 5 0") == float("inf")
    assert 0.5 < seconds("time_settings 100 0 0") < 10
    assert 1.0 < seconds("time_settings 0 50 25") < 4
    assert 5.0 < seconds("kgs-time_settings byoyomi 0 10 3") < 8.1
    assert 0.0 < seconds("time_settings 100 0 0", "time_left b 1 0") < 0.5
    assert 2.0 < seconds("kgs-time_settings canadian 100 50 5", "time_left b 30 5") < 20
    assert seconds("kgs-time_settings none") == float("inf")


# ---- analysis --------------------------------------------------------------------------------------------------------


def test_an_analysis_runs_until_the_next_line():
    desk = Desk(waits=True)
    assert desk.ask("9 lz-analyze b 50") == "=9"
    limits, news, future, seat = desk.asked[0]
    assert news.every == 0.5
    news.tell(seat.thought(limits))
    desk.work()
    info = "info move A9 visits 10 winrate 7500 prior 2500 lcb 4816 order 0 pv A9"
    assert desk.said[1].startswith(info + " info move B9 visits 9 ")
    assert desk.ask("name") == "\n= Test"
    assert future.cancelled()


def test_a_line_that_has_come_already_ends_an_analysis():
    desk = Desk(waits=True)
    desk.ask("genmove b")
    for line in ("lz-analyze w 10", "name"):
        assert desk.ask(line) == ""
    limits, _, future, seat = desk.asked[0]
    future.set_result(seat.thought(limits))
    desk.work()
    assert desk.said == ["= A9\n", "=", "", "= Test\n"]


def test_an_analysis_may_show_ownership_and_consider_some_moves_alone(desk):
    lines = desk.ask("kata-analyze w interval 20 maxmoves 1 ownership true allow w D4,E5 3 avoid w D4 1").split("\n")
    assert desk.asked[0][0].only == (40,)  # E5
    head, _, owners = lines[1].partition(" ownership ")
    assert head.startswith("info move E5 visits 10 utility -0.5000 winrate 0.2500 scoreMean ")
    assert [-1.0 <= float(owner) <= 1.0 for owner in owners.split()] == [True] * 81
    assert desk.ask("lz-analyze b often") == "\n? syntax error"


def test_a_move_may_be_made_with_its_analysis(desk):
    lines = desk.ask("4 lz-genmove_analyze b 10").split("\n")
    assert (lines[0], lines[-1]) == ("=4", "play A9")
    assert desk.ask("list_stones b") == "= A9"


# ---- scores and records ----------------------------------------------------------------------------------------------


def test_the_score_counts_stones_that_cannot_live_as_dead(desk):
    for line in ("boardsize 5", "komi 0.5", "clear_board"):
        desk.ask(line)
    for row in range(1, 6):
        desk.ask(f"play b C{row}")
        desk.ask(f"play w D{row}")
    desk.ask("play w A1")
    desk.ask("play b B2")
    assert desk.ask("final_score") == "= B+4.5"
    assert desk.ask("final_status_list dead") == "= A1"
    assert sorted(desk.ask("final_status_list alive").split("\n")[-1].split()) == [f"D{row}" for row in range(1, 6)]
    assert desk.ask("final_status_list seki") == "="


SEKI = """
.OX......
OOX......
.OXXXXXXX
XXOOOOOOO
.XO......
XXO......
OOO......
.........
.........
"""


@pytest.mark.parametrize(("rules", "score"), [("japanese", "W+24"), ("chinese", "W+26")])
def test_groups_in_seki_are_named_and_live_whatever_the_network_thinks(rules, score):
    class WhoeverStandsThere:
        """Expects points to stay what they are, but takes White's group in the seki for dead."""

        def maps(self, planes):
            rows = SEKI.split()
            black = np.array([[each == "X" for each in row] for row in rows], np.float32)
            white = np.array([[each == "O" for each in row] for row in rows], np.float32)
            for row, column in ((0, 1), (1, 0), (1, 1), (2, 1)):
                black[row, column], white[row, column] = 1.0, 0.0
            return np.stack([black, white])[None]

    desk = Desk(evaluator=WhoeverStandsThere())
    for line in (f"kgs-rules {rules}", "komi 0"):
        assert desk.ask(line) == "="
    for row, text in enumerate(SEKI.split()):
        for column, each in enumerate(text):
            if each != ".":
                assert desk.ask(f"play {'bw'['XO'.index(each)]} {'ABCDEFGHJ'[column]}{9 - row}") == "="
    desk.ask("play w pass")  # Black is to move
    assert desk.ask("final_status_list dead") == "="
    assert sorted(desk.ask("final_status_list seki").removeprefix("= ").split("\n")) == [
        "A6 B6 B5 A4 B4",
        "B9 A8 B8 B7",
    ]
    assert "B9" not in desk.ask("final_status_list alive").split()
    assert desk.ask("final_score") == f"= {score}"


def test_a_record_is_loaded_up_to_a_move(desk, tmp_path):
    path = tmp_path / "a game.sgf"
    path.write_text("(;SZ[9]KM[3.5]HA[2];W[ee];B[dd];W[ff])")
    assert desk.ask(f"loadsgf {path} 2") == "="
    assert desk.ask("list_stones w") == "= E5"
    assert desk.ask("get_komi") == "= 3.5"
    assert desk.ask(f"loadsgf {path}") == "="
    assert desk.ask("list_stones w") == "= E5 F4"
    path.write_text("(;SZ[9];B[ee];W[ee])")
    assert desk.ask(f"loadsgf {path}") == "? cannot load file"
    assert desk.ask("list_stones w") == "= E5 F4"


@pytest.mark.parametrize(("player", "sign"), [("b", -1.0), ("w", 1.0)])
def test_a_network_that_knows_says_whose_the_points_will_be(player, sign):
    desk = Desk(evaluator=WhiteHasAll())
    desk.ask("komi 6.5")
    line = desk.ask(f"kata-analyze {player} interval 20 maxmoves 1 ownership true").split("\n")[1]
    head, _, owners = line.partition(" ownership ")
    assert {float(each) for each in owners.split()} == {sign}
    assert f"scoreLead {sign * (81 + 6.5):.2f}" in head
    desk.ask("play b E5")
    assert desk.ask("final_status_list dead") == "= E5"
    assert desk.ask("final_score") == "= W+6.5", "once the dead stone is taken off, nobody has a point"
