"""A pool serves many seats fairly and in bounded memory, and survives errors."""

import gc
import threading
import time
import weakref
from concurrent.futures import CancelledError, wait

import numpy as np
import pytest

import ludus
from ludus.errors import BadModel, Unavailable
from ludus.players.thinking.pool import Pool
from ludus.search.settings import SearchSettings

PATIENCE_S = 100.0
CONNECT4, TICTACTOE = ludus.game("connect4"), ludus.game("tictactoe")
NO_CACHE = SearchSettings(cache_entries=0)


@pytest.fixture
def evaluator(scripted):
    return scripted(CONNECT4)


@pytest.fixture
def pool_of(evaluator):
    """Return a function that creates pools of the scripted evaluator, which are closed at the end."""
    pools = []

    def make(game=CONNECT4, search=NO_CACHE, **options):
        pools.append(Pool(game, evaluator, search, **options))
        return pools[-1]

    yield make
    evaluator.gate.set()
    for pool in pools:
        pool.close()


# ---- many seats ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lanes", [1, 2])
def test_256_simultaneous_requests_are_all_answered(pool_of, lanes):
    pool = pool_of(slots=256, max_visits=60, lanes=lanes)
    requests = [pool.seat(CONNECT4.start()).ask(50) for _ in range(256)]
    thoughts = [request.result(PATIENCE_S) for request in requests]
    assert {thought.visits for thought in thoughts} == {50}


def test_300_seats_share_64_slots_and_keep_their_games(pool_of):
    pool = pool_of(slots=64, max_visits=60)
    seats = [pool.seat(CONNECT4.start().play(index % 7), seed=index) for index in range(300)]
    for _ in range(2):
        requests = [seat.ask(40) for seat in seats]
        for seat, request in zip(seats, requests, strict=True):
            thought = request.result(PATIENCE_S)
            assert thought.visits >= 40
            seat.play(thought.best[0])
    assert all(seat.position.num_actions_played == 3 for seat in seats)
    held = [seat for seat in seats if seat.slots]
    assert len(held) == 64
    assert len({(id(seat.slots), seat.slot) for seat in held}) == 64


def test_the_tree_that_was_idle_longest_is_evicted_and_searched_again(pool_of):
    pool = pool_of(slots=2, lanes=1, max_visits=100)
    first, second, third = (pool.seat(CONNECT4.start()) for _ in range(3))
    first.think(50)
    second.think(50)
    first.think(60)
    third.think(50)
    assert [seat.slots is not None for seat in (first, second, third)] == [True, False, True]
    before = pool.work().rows
    assert second.think(50).visits == 50
    assert pool.work().rows >= before + 40, "its tree was searched again"
    before = pool.work().rows
    assert third.think(50).visits == 50
    assert pool.work().rows == before, "its tree was kept"


def test_the_slot_of_a_forgotten_seat_is_free(pool_of):
    pool = pool_of(slots=2, lanes=1, max_visits=100)
    kept, forgotten = pool.seat(CONNECT4.start()), pool.seat(CONNECT4.start())
    kept.think(20)
    forgotten.think(20)
    del forgotten
    gc.collect()
    pool.seat(CONNECT4.start()).think(20)
    assert kept.slots is not None, "its tree is kept although it was idle longest"


def test_running_searches_are_in_every_batch(pool_of, evaluator):
    pool = pool_of(slots=8, lanes=1, max_visits=200, leaves=1, fill=1)
    evaluator.gate.clear()
    requests = [pool.seat(CONNECT4.start().play(index % 7).play(index // 7)).ask(30) for index in range(8)]
    evaluator.gate.set()
    wait(requests, PATIENCE_S)
    full = [count for count in evaluator.batches if count == 8]
    assert len(full) >= 25, "each needs 30 batches"


def test_a_single_search_has_several_leaves_in_a_batch_and_many_searches_one_each(pool_of, evaluator):
    pool = pool_of(slots=16, lanes=1, max_visits=300, leaves=4, fill=16)
    pool.seat(CONNECT4.start()).think(200)
    assert max(evaluator.batches) == 4
    evaluator.batches.clear()
    evaluator.gate.clear()
    requests = [pool.seat(CONNECT4.start().play(index % 7).play(index // 7)).ask(40) for index in range(16)]
    evaluator.gate.set()
    wait(requests, PATIENCE_S)
    assert max(evaluator.batches[2:]) <= 16
    evaluator.batches.clear()
    evaluator.gate.clear()
    requests = [pool.seat(CONNECT4.start().play(index)).ask(100) for index in range(7)]
    evaluator.gate.set()
    wait(requests, PATIENCE_S)
    assert max(evaluator.batches) == 14, "two leaves of each of the seven"


def test_no_seat_waits_much_longer_than_the_others(pool_of, evaluator):
    evaluator.delay_s = 0.0005
    pool = pool_of(slots=64, max_visits=60)
    seats = [pool.seat(CONNECT4.start().play(index % 7)) for index in range(64)]
    seconds = np.array([request.result(PATIENCE_S).seconds for request in [seat.ask(40) for seat in seats]])
    assert seconds.max() < 3 * np.median(seconds)


def test_a_long_search_does_not_delay_short_ones(pool_of):
    pool = pool_of(slots=4, lanes=1, max_visits=20_000)
    greedy = pool.seat(CONNECT4.start()).ask(20_000)
    modest = [pool.seat(CONNECT4.start()) for _ in range(12)]
    for request in [seat.ask(30) for seat in modest]:
        request.result(PATIENCE_S)
    assert not greedy.done(), "twelve short searches end during a long one"
    greedy.cancel()


def test_many_threads_may_use_one_pool(pool_of):
    pool, moves = pool_of(slots=8, max_visits=60), []

    def play(index):
        seat = pool.seat(CONNECT4.start(), seed=index)
        while not seat.position.outcome:
            seat.play(seat.think(20, temperature=1.0).best[0])
        moves.append(seat.position.num_actions_played)

    threads = [threading.Thread(target=play, args=(index,)) for index in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert len(moves) == 12
    assert min(moves) >= 7


def test_a_pool_without_work_has_no_thread_and_need_not_be_closed(evaluator, until):
    seat = Pool(CONNECT4, evaluator, NO_CACHE, slots=2, max_visits=50).seat(CONNECT4.start())
    seat.think(20)
    until(lambda: seat.pool.is_idle)
    reference = weakref.ref(seat.pool)
    seat = None
    gc.collect()
    assert reference() is None


def test_boards_that_share_their_rules_share_a_pool(scripted):
    small, large = ludus.game("wallgame:classic:5x5@6x6"), ludus.game("wallgame:classic:6x6")
    with Pool(small, scripted(small), slots=4, max_visits=50) as pool:
        for request in [pool.seat(game.start()).ask(30) for game in (small, large, small)]:
            assert len(request.result(PATIENCE_S).best) == 2
        with pytest.raises(AssertionError, match="connect4 does not fit into this pool"):
            pool.seat(CONNECT4.start())


def test_root_noise_is_off_unless_requested(pool_of):
    pool = pool_of(slots=2, max_visits=100)
    for explores, alike in ((False, True), (True, False)):
        thought = pool.seat(CONNECT4.start()).ask(60, explores=explores).result(PATIENCE_S)
        priors = [candidate.prior for candidate in thought.candidates]
        assert (max(priors) - min(priors) < 0.001) == alike


def test_warming_up_searches_before_and_after_a_move(pool_of):
    pool = pool_of(slots=2, max_visits=100)
    pool.warm_up(CONNECT4)
    assert pool.work().rows > 40
    assert pool.is_idle or pool.seat(CONNECT4.start()).think(10)


# ---- bounds ----------------------------------------------------------------------------------------------------------


def test_a_search_ends_when_its_tree_is_full_and_reports_its_visits(pool_of):
    pool = pool_of(slots=2, max_visits=300)
    thought = pool.seat(CONNECT4.start()).think(10**9)
    assert 280 <= thought.visits <= 300
    seat = pool.seat(CONNECT4.start())
    for _ in range(6):
        thought = seat.think(10**9)
        assert 2 <= thought.visits <= 300 + 8
        seat.play(thought.best[0])


def test_the_memory_is_known_and_does_not_grow(pool_of):
    pool = pool_of(slots=4, max_visits=1_000)
    stated = pool.nbytes
    for _ in range(20):
        pool.seat(CONNECT4.start()).think(1_000)
    assert pool.nbytes == stated
    assert 4 * 1_000 * 100 < stated < 4 * 1_000 * 400


# ---- errors ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lanes", [1, 2])
def test_an_evaluator_that_raises_fails_only_the_requests_of_its_batch(pool_of, evaluator, lanes):
    pool = pool_of(slots=8, lanes=lanes, max_visits=100)
    seats = [pool.seat(CONNECT4.start().play(index % 7)) for index in range(12)]
    seats[0].think(20)
    evaluator.fault = RuntimeError("the cable was pulled")
    requests = [seat.ask(50) for seat in seats]
    for request in requests:
        with pytest.raises(RuntimeError, match="the cable was pulled"):
            request.result(PATIENCE_S)
    evaluator.fault = None
    for seat in seats:
        assert seat.think(50).visits == 50
        seat.play(0)
        assert seat.think(50).visits == 50


def test_answers_that_are_not_finite_raise_bad_model(pool_of, evaluator):
    seat = pool_of(slots=2, max_visits=100).seat(CONNECT4.start())
    evaluator.bad = True
    with pytest.raises(BadModel, match="The scripted network answers with numbers that are not finite"):
        seat.think(50)
    evaluator.bad = False
    assert seat.think(50).visits == 50


def test_an_evaluator_that_sometimes_fails_leaves_the_pool_usable(pool_of, evaluator):
    pool = pool_of(slots=4, max_visits=200)
    seats = [pool.seat(CONNECT4.start()) for _ in range(6)]
    rng = np.random.default_rng(1)
    failures = answers = 0
    for _ in range(60):
        requests = [seat.ask(int(rng.integers(2, 120))) for seat in seats]
        evaluator.fault = RuntimeError("no luck") if rng.random() < 0.5 else None
        for request in requests:
            try:
                request.result(PATIENCE_S)
                answers += 1
            except RuntimeError:
                failures += 1
        for seat in seats:
            if rng.random() < 0.3 and not seat.position.outcome:
                seat.play(int(rng.choice(seat.position.actions)))
            if seat.position.outcome:
                seats[seats.index(seat)] = pool.seat(CONNECT4.start())
    evaluator.fault = None
    assert failures > 20
    assert answers > 20
    for seat in seats:
        thought = seat.think(150)
        children = sum(each.visits for each in thought.candidates)
        assert thought.proof or thought.visits == 1 + children >= 150


def test_closing_answers_open_requests_with_an_error(pool_of, evaluator):
    pool = pool_of(slots=2, max_visits=200)
    seats = [pool.seat(CONNECT4.start()) for _ in range(5)]
    evaluator.gate.clear()
    requests = [seat.ask(100) for seat in seats]
    assert evaluator.asked.wait(PATIENCE_S)
    closing = threading.Thread(target=pool.close)
    closing.start()
    time.sleep(0.01)
    evaluator.gate.set()
    for request in requests:
        with pytest.raises(Unavailable, match="The pool is closed"):
            request.result(PATIENCE_S)
    closing.join(PATIENCE_S)
    assert not closing.is_alive()
    assert pool.is_idle
    with pytest.raises(Unavailable, match="The pool is closed"):
        seats[0].think(10)
    pool.close()


def test_an_error_of_the_pool_itself_is_reported_and_closes_it(pool_of, monkeypatch):
    pool = pool_of(slots=2, max_visits=200)
    monkeypatch.setattr("ludus.players.thinking.slots.read_thought", lambda *_a, **_k: 1 / 0)
    requests = [pool.seat(CONNECT4.start()).ask(20) for _ in range(4)]
    for request in requests:
        with pytest.raises(ZeroDivisionError):
            request.result(PATIENCE_S)
    with pytest.raises(Unavailable, match=r"closed by an error: ZeroDivisionError"):
        pool.seat(CONNECT4.start()).think(10)


def test_a_callback_may_ask_again_but_must_not_wait(pool_of, until):
    seat = pool_of(slots=2, max_visits=200).seat(CONNECT4.start())
    faults, second = [], []

    def go_on(_request):
        try:
            seat.think(30)
        except AssertionError as fault:
            faults.append(str(fault))
        second.append(seat.ask(60))

    request = seat.ask(20)
    request.add_done_callback(go_on)
    until(lambda: second)
    assert second[0].result(PATIENCE_S).visits == 60
    assert faults in (
        [],
        ["a callback must not wait for its own pool"],
    )  # empty: answered before the callback was added


def test_cancelled_requests_free_their_slots(pool_of, evaluator, until):
    pool = pool_of(slots=2, max_visits=20_000)
    evaluator.gate.clear()
    seats = [pool.seat(CONNECT4.start()) for _ in range(6)]
    requests = [seat.ask(20_000) for seat in seats]
    assert evaluator.asked.wait(PATIENCE_S)
    assert all(request.cancel() for request in requests)
    evaluator.gate.set()
    assert seats[3].think(50).visits >= 50
    for request in requests:
        with pytest.raises(CancelledError):
            request.result(PATIENCE_S)
    until(lambda: pool.is_idle)
    assert pool.work().counters["simulations"] < 1_000


def test_the_trees_of_an_idle_pool_have_no_leaves_in_flight(pool_of, until):
    pool = pool_of(slots=6, max_visits=400)
    seats = [pool.seat(CONNECT4.start()) for _ in range(9)]
    requests = [seat.ask(50 + 30 * index) for index, seat in enumerate(seats)]
    requests[4].cancel()
    requests[7].stop()
    wait(requests, PATIENCE_S)
    until(lambda: pool.is_idle)
    for trees in pool.trees:
        assert not trees.tree["pending"].any()
        for g in range(len(trees.tree)):
            assert all(child["in_flight"] == 0 for child in nodes_of(trees, g))


def nodes_of(trees, g):
    """Return the children of tree `g` that can be reached, its root first."""
    found = [trees.child[g, 0]]
    for child in found:
        first = int(child["first_child"])
        found += list(trees.child[g, first : first + int(child["num_children"])])
    return found
