"""The time at which `bestmove` is written, with searches controlled by the test and with real ones."""

import re
import sys
from concurrent.futures import Future
from types import SimpleNamespace

import pytest
from tests.engine.uci.conftest import MAX_VISITS

from ludus.engine.uci.board import UciBoard
from ludus.engine.uci.search import Search, SearchWish
from ludus.games.chess.engines.uci import UciChess
from ludus.games.rules import FIRST_WINS
from ludus.players.thinking.thought import Candidate, Thought
from ludus.protocol.uci import read

MATE_IN_ONE = "position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"


class HeldRequest(Future):
    """A search that has found a mate and runs until it is stopped."""

    def __init__(self, action, news):
        super().__init__()
        self.news = news
        mate = Candidate(action, 10, 1.0, 0.5, proof=FIRST_WINS, line=[action])
        self.thought = Thought([action], 1.0, 0.0, 10, [mate], [action])

    def tell(self):
        self.news.tell(self.thought)

    def stop(self):
        if not self.done():
            self.set_result(self.thought)


class HeldSeat:
    """A seat that stores its running searches."""

    pool = SimpleNamespace(max_visits=100)

    def __init__(self, action):
        self._action, self.requests = action, []

    def ask_within(self, limits, temperature, news):
        self.requests.append(HeldRequest(self._action, news))
        return self.requests[-1]


def begun(text):
    """Start a `go`; return the search, its seat, and the list of `bestmove` lines."""
    board, said = UciBoard(UciChess()), []
    board.follow(read(MATE_IN_ONE))
    seat = HeldSeat(board.actions_named(["a1a8"])[0][0])

    def say(line):
        said.extend([line] if line.startswith("bestmove") else [])

    search = Search(SearchWish(read(text)), board, seat, lambda event: event(), say, lambda: None)
    search.begin()
    return search, seat, said


@pytest.mark.parametrize("goal", ["depth 1", "mate 1"])
@pytest.mark.parametrize(
    ("how", "word"), [("infinite", "stop"), ("ponder", "stop"), ("ponder wtime 1000 btime 1000", "ponder_hit")]
)
def test_a_reached_goal_ends_the_search_but_bestmove_waits_for_the_program(goal, how, word):
    search, seat, said = begun(f"go {how} {goal}")
    (request,) = seat.requests
    request.tell()
    assert request.done()
    assert said == []
    getattr(search, word)()
    assert said == ["bestmove a1a8"]
    assert seat.requests == [request], "no further search is needed"


@pytest.mark.parametrize("goal", ["depth 1", "mate 1"])
def test_a_reached_goal_is_answered_at_once_in_a_normal_search(goal):
    _, seat, said = begun(f"go {goal}")
    seat.requests[0].tell()
    assert said == ["bestmove a1a8"]


@pytest.mark.parametrize(
    ("asked", "word"),
    [("go infinite depth 1", "stop"), ("go ponder depth 1 wtime 1000 btime 1000", "ponderhit")],
)
def test_a_real_search_that_has_reached_its_depth_waits_for_the_program(engine, asked, word):
    engine.say("position startpos moves e2e4", asked)
    engine.expect("info depth")
    assert engine.listen(0.3) == []
    engine.say(word)
    engine.expect("bestmove [a-h]")
    assert engine.listen(0.05) == []


# ---- the last reported line ------------------------------------------------------------------------------------------


LIMITED = "setoption name UCI_LimitStrength value true", "setoption name UCI_Elo value 1000"


@pytest.mark.parametrize("strength", [(), LIMITED], ids=["full", "limited"])
def test_the_last_reported_line_begins_with_the_played_move(engine, strength):
    engine.say(*strength)
    moves = []
    for _ in range(12):
        engine.say(f"position startpos moves {' '.join(moves)}", "go nodes 60")
        moves.append(engine.expect("bestmove [a-h]").split()[1])
        last = [line for line in engine.said if line.startswith("info depth")][-1]
        assert last.split(" pv ")[1].split()[0] == moves[-1]


# ---- a search that ends before the program wants it to ---------------------------------------------------------------


def test_a_full_tree_is_pruned_and_the_search_goes_on_until_the_program_stops_it(engine):
    engine.say("position startpos", "go infinite")
    engine.expect(r"info depth .* hashfull 1000 ")
    while nodes(engine) < 5 * MAX_VISITS:
        engine.expect("info depth")
    engine.say("isready")
    engine.expect("readyok")
    engine.say("stop")
    engine.expect("bestmove [a-h]")
    assert engine.listen(0.05) == []
    engine.say("ucinewgame", "position startpos", f"go nodes {2 * MAX_VISITS}")
    engine.expect("bestmove [a-h]")
    assert nodes(engine) >= 2 * MAX_VISITS


def nodes(engine):
    return int(re.findall(r" nodes (\d+) ", "\n".join(engine.said))[-1])


def test_a_tree_too_small_to_be_pruned_is_named_and_reports_go_on_until_the_program_stops_it(engine, monkeypatch):
    monkeypatch.setattr(sys.modules[type(engine).__module__], "MAX_VISITS", 25)
    engine.say("position startpos", "go infinite")
    full = engine.expect("info string The search tree is full after")
    assert "a larger Hash" in full
    for _ in range(2):
        assert "hashfull 1000" in engine.expect("info depth")
    engine.say("isready")
    engine.expect("readyok")
    engine.say("stop")
    engine.expect("bestmove [a-h]")
    assert engine.listen(1.2) == []
    assert not engine.said[engine.taken :]


def test_a_solved_position_is_reported_until_the_program_stops_it(engine):
    engine.say(MATE_IN_ONE, "go infinite")
    for _ in range(3):
        assert "score mate 1" in engine.expect("info depth")
    engine.say("stop")
    engine.expect("bestmove a1a8")
    assert not [line for line in engine.said if "full" in line and "hashfull" not in line]


# ---- several lines ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("go", ["go nodes 2", "go movetime 1", "go nodes 50"])
@pytest.mark.parametrize(
    ("position", "moves", "lines"),
    [
        ("position startpos", ["a2a3", "h2h4"], 2),
        ("position startpos", [], 5),
        (MATE_IN_ONE, ["g1f1", "a1a8"], 2),
        (MATE_IN_ONE, [], 5),
        ("position fen 7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", ["b1b8", "a2a8", "g1f1"], 3),
    ],
)
def test_every_wanted_root_move_has_a_line(engine, go, position, moves, lines):
    engine.say("setoption name MultiPV value 5", position, f"{go} searchmoves {' '.join(moves)}" if moves else go)
    best = engine.expect("bestmove [a-h]").split()[1]
    last = max(index for index, line in enumerate(engine.said) if "multipv 1 " in line)
    shown = [line.split(" pv ")[1].split()[0] for line in engine.said[last:] if line.startswith("info depth")]
    assert len({*shown}) == len(shown) == lines
    assert shown[0] == best
    assert not moves or {*shown} == {*moves}
    if position == MATE_IN_ONE and lines == 2:
        assert best == "a1a8"
