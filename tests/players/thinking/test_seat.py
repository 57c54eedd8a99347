"""A seat executes requests, moves and pondering in order, and searches stay within their limits."""

import gc
import subprocess
import sys
import threading
import time
from concurrent.futures import CancelledError

import pytest

import ludus
from ludus.games.rules import FIRST_WINS
from ludus.players.thinking.pool import Pool
from ludus.players.thinking.seat import Limits, News, Request, Seat
from ludus.search.settings import SearchSettings

PATIENCE_S = 300.0  # compiling a first search takes a minute
CONNECT4 = ludus.game("connect4")


@pytest.fixture
def evaluator(scripted):
    return scripted(CONNECT4)


@pytest.fixture
def pool(evaluator):
    """Return a pool with one leaf of each tree in every batch, and without foresight, which ends searches early."""
    settings = SearchSettings(cache_entries=0, foresight=False)
    with Pool(CONNECT4, evaluator, settings, slots=4, lanes=1, leaves=1, max_visits=2_000) as pool:
        yield pool
        evaluator.gate.set()


def after(*moves):
    position = CONNECT4.start()
    for move in moves:
        position = position.play(move)
    return position


# ---- limits ----------------------------------------------------------------------------------------------------------


def test_seconds_end_a_search_and_are_reported(pool):
    thought = pool.seat(CONNECT4.start()).think(10**9, seconds=0.0)
    assert 2 <= thought.visits <= 4
    pool.seat(CONNECT4.start()).think(2)
    begun = time.perf_counter()
    thought = pool.seat(CONNECT4.start()).think(10**9, seconds=0.05)
    assert 0.0 < thought.seconds <= time.perf_counter() - begun
    assert 2 < thought.visits <= 2_000


def test_no_batch_is_started_that_would_end_after_the_deadline(pool, evaluator):
    seat = pool.seat(CONNECT4.start())
    seat.think(2)
    evaluator.delay_s = 0.2
    evaluator.batches.clear()
    seat.think(10**9, seconds=0.5)
    assert len(evaluator.batches) <= 2, "0.2 s each: a third would end at 0.6 s"


def test_visits_end_a_search_before_its_time(pool):
    assert pool.seat(CONNECT4.start()).think(30, seconds=1_000.0).visits == 30


def test_an_only_move_needs_no_search(pool):
    position = after(*6 * [0], *6 * [1], *6 * [2], 4, *6 * [3], *5 * [4], *6 * [5])
    while not position.outcome and len(position.actions) > 1:
        position = position.play(position.actions[0])
    if position.outcome:
        pytest.fail(f"draw another position: {position.outcome}")
    assert pool.seat(position).think(500, may_stop=True).visits == 2


def test_a_settled_search_stops_early_if_it_may(pool):
    position = after(3, 0, 3, 0, 3)  # all but one move lose at once, which takes a few visits to find
    patient, hasty = (pool.seat(position).think(1_500, may_stop=may_stop) for may_stop in (False, True))
    assert patient.visits == 1_500
    assert hasty.visits < 1_500
    assert hasty.best[0] == patient.best[0] == 3
    first, *others = (each.visits for each in hasty.candidates)
    assert first - max(others) > 1_500 - hasty.visits


# ---- some of the actions, and news -----------------------------------------------------------------------------------


@pytest.mark.parametrize("entries", [0, 1 << 10])
def test_a_search_considers_only_the_named_actions(evaluator, entries):
    settings = SearchSettings(cache_entries=entries, root_symmetries=2)
    with Pool(CONNECT4, evaluator, settings, slots=2, lanes=1, max_visits=2_000) as pool:
        seat = pool.seat(after(3, 0, 3, 0, 3, 1))
        assert seat.think(200).best == [3], "it wins"
        thought = seat.ask_within(Limits(200, only=(6, 1))).result(PATIENCE_S)
        assert {each.action for each in thought.candidates} == {1, 6}
        assert thought.visits == 200
        assert seat.think(200).best == [3], "the next search considers all actions again"
        assert seat.ask_within(Limits(100, only=(5,), may_stop=True)).result(PATIENCE_S).best == [5]
        seat.play(6)
        assert seat.think(100).best == [3], "yellow must block"


def test_a_restricted_search_proves_a_loss(pool):
    thought = pool.seat(after(3, 0, 3, 0, 3)).ask_within(Limits(500, only=(1, 2))).result(PATIENCE_S)
    assert thought.proof == FIRST_WINS, "red has three in a column"


def test_actions_that_engines_do_not_consider_can_be_requested():
    class Notes:
        """A pool that stores the request and does not search."""

        max_visits = 100

        def enqueue(self, _seat, request):
            self.request = request

    game = ludus.game("go:3x3:komi=0")
    position = game.start({"black": "B1 A2 B2 C2 B3", "to_play": "black"})  # Black has four eyes
    eye, past = position.parse("A1")[0], position.parse("pass")[0]
    notes = Notes()
    for only, searched in (((), [past]), ((past,), [past]), ((eye, past), position.actions)):
        Seat(notes, position).ask_within(Limits(10, only=only))
        assert game.calls.legal(notes.request.root) == searched


def test_only_legal_actions_can_be_considered(pool):
    with pytest.raises(AssertionError, match="legal"):
        pool.seat(CONNECT4.start()).ask_within(Limits(only=(7,)))


def test_candidates_have_their_lines(pool):
    thought = pool.seat(after(3, 3)).ask_within(Limits(400, lines=3)).result(PATIENCE_S)
    lines = [each.line for each in thought.candidates if each.line]
    assert len(lines) == 3
    assert all(each.line[0] == each.action for each in thought.candidates if each.line)
    assert thought.line in lines


def test_news_arrive_during_a_search(pool, evaluator):
    evaluator.delay_s = 0.001
    told = []
    request = pool.seat(CONNECT4.start()).ask_within(Limits(500), news=News(told.append, every=0.01))
    thought = request.result(PATIENCE_S)
    visits = [each.visits for each in told]
    assert len(visits) > 5
    assert visits == sorted(set(visits))
    assert visits[-1] <= thought.visits
    assert all(each.seconds > 0.0 for each in told)


# ---- during a search -------------------------------------------------------------------------------------------------


def test_a_stopped_search_returns_its_result_so_far(pool, evaluator):
    evaluator.gate.clear()
    request = pool.seat(CONNECT4.start()).ask(2_000)
    assert evaluator.asked.wait(PATIENCE_S)
    request.stop()
    evaluator.gate.set()
    assert 2 <= request.result(PATIENCE_S).visits <= 10


def test_a_request_stopped_before_its_search_is_answered(pool, evaluator):
    evaluator.gate.clear()
    requests = [pool.seat(CONNECT4.start()).ask(500) for _ in range(5)]
    assert evaluator.asked.wait(PATIENCE_S)
    requests[-1].stop()
    evaluator.gate.set()
    assert requests[-1].result(PATIENCE_S).visits <= 10
    assert [request.result(PATIENCE_S).visits for request in requests[:-1]] == 4 * [500]


def test_a_cancelled_request_is_dropped_and_its_seat_continues(pool, evaluator):
    evaluator.gate.clear()
    seat = pool.seat(CONNECT4.start())
    request = seat.ask(2_000)
    assert evaluator.asked.wait(PATIENCE_S)
    assert request.cancel()
    request.stop()
    seat.play(3)
    evaluator.gate.set()
    assert seat.think(50).visits == 50
    with pytest.raises(CancelledError):
        request.result()
    done = seat.ask(60)
    done.result(PATIENCE_S)
    assert not done.cancel(), "it is already answered"


def test_an_interrupted_caller_leaves_no_running_search(pool, evaluator, monkeypatch, until):
    evaluator.gate.clear()

    def interrupt(_request):
        raise KeyboardInterrupt

    monkeypatch.setattr(Request, "result", interrupt)
    with pytest.raises(KeyboardInterrupt):
        pool.seat(CONNECT4.start()).think(2_000)
    evaluator.gate.set()
    until(lambda: pool.is_idle)
    assert pool.work().rows < 10


def test_orders_are_executed_in_sequence(pool, evaluator):
    evaluator.gate.clear()
    seat = pool.seat(after(3, 0, 3, 0))
    before = seat.ask(300)
    seat.play(3)
    between = seat.ask(300)
    seat.play(3)
    behind = seat.ask(300)
    evaluator.gate.set()
    assert before.result(PATIENCE_S).best == [3], "red makes three in a column"
    assert between.result(PATIENCE_S).best == [3], "yellow must block"
    assert behind.result(PATIENCE_S).value == pytest.approx(
        pool.seat(after(3, 0, 3, 0, 3, 3)).think(300).value, abs=0.2
    )
    assert seat.position.num_actions_played == 6


# ---- pondering -------------------------------------------------------------------------------------------------------


def test_pondering_fills_the_tree_and_serves_the_next_request(pool, until):
    seat = pool.seat(CONNECT4.start())
    seat.ponder()
    until(lambda: pool.is_idle)
    before = pool.work().rows
    assert before > 1_500
    assert seat.think(1_500).visits >= 1_500
    assert pool.work().rows == before


def test_pondering_follows_the_game(pool, evaluator, until):
    seat = pool.seat(CONNECT4.start())
    best = seat.think(100).best[0]
    evaluator.delay_s = 0.001
    seat.ponder()
    until(lambda: pool.work().rows > 150)
    seat.play(best)
    rows = pool.work().rows
    until(lambda: pool.work().rows > rows + 150)
    seat.play(3)
    assert seat.think(2).visits > 10, "pondering added visits"
    assert seat.position.num_actions_played == 2


def test_requests_come_before_pondering(pool, evaluator, until):
    evaluator.delay_s = 0.0005
    ponderers = [pool.seat(after(column)) for column in range(3)]
    for seat in ponderers:
        seat.ponder()
    until(lambda: 3 in evaluator.batches)
    evaluator.batches.clear()
    pool.seat(CONNECT4.start()).think(100)
    assert evaluator.batches.count(1) >= 95, "the request is alone in its batches"
    rows = pool.work().rows
    until(lambda: pool.work().rows > rows + 30)
    assert evaluator.batches[-1] == 3, "then pondering continues"


def test_a_pondering_tree_is_evicted_for_a_request(pool, evaluator, until):
    evaluator.delay_s = 0.001
    ponderers = [pool.seat(after(column)) for column in range(4)]
    for seat in ponderers:
        seat.ponder()
    until(lambda: 4 in evaluator.batches)
    assert pool.seat(CONNECT4.start()).think(50).visits == 50
    assert sum(seat.slots is not None for seat in ponderers) == 3
    assert all(seat.think(20).visits >= 20 for seat in ponderers)


def test_pondering_ends_when_its_seat_is_deleted(pool, evaluator, until):
    evaluator.delay_s = 0.05  # the tree would be full after 100 s
    seat = pool.seat(CONNECT4.start())
    seat.ponder()
    until(lambda: evaluator.batches)
    del seat
    gc.collect()
    begun = time.perf_counter()
    until(lambda: pool.is_idle)
    assert time.perf_counter() - begun < 50.0


def test_a_finished_game_is_not_pondered(pool, until):
    seat = pool.seat(after(3, 0, 3, 0, 3, 0))
    seat.ponder()
    seat.play(3)
    assert seat.position.outcome
    seat.ponder()
    until(lambda: pool.is_idle)
    with pytest.raises(AssertionError, match="a finished game needs no search"):
        seat.ask()


def test_a_program_ends_while_a_seat_ponders():
    program = """if True:
        import ludus
        from ludus.network.config import Shapes
        from ludus.network.evaluator import NullEvaluator
        from ludus.players.thinking.pool import Pool
        game = ludus.game("connect4")
        seat = Pool(game, NullEvaluator(Shapes.of(game)), max_visits=20_000_000, slots=1).seat(game.start())
        seat.think(10)
        seat.ponder()
    """
    subprocess.run([sys.executable, "-c", program], check=True, timeout=PATIENCE_S)


def test_many_threads_may_use_one_seat(pool):
    seat, visits = pool.seat(CONNECT4.start()), []
    threads = [threading.Thread(target=lambda: visits.append(seat.think(200).visits)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert visits == 8 * [200]
