"""The time at which `bestmove` is written, with searches controlled by the test and with real ones."""

from concurrent.futures import Future
from types import SimpleNamespace

import pytest

from ludus.engine.uci.board import UciBoard
from ludus.engine.uci.search import Search, SearchWish
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
    board, said = UciBoard(), []
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
