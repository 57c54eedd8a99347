"""Workers produce games that follow the rules, share a quota, record the network, and stop cleanly."""

import copy
import threading
import time

import numpy as np
import pytest

import ludus
from ludus.errors import BadGame, BadModel
from ludus.games.rules import DRAW
from ludus.network.config import Shapes
from ludus.network.evaluator import TableLane, UniformEvaluator
from ludus.players.judging.heuristic import HeuristicEvaluator, PlayoutEvaluator
from ludus.search.cache import make_cache
from ludus.search.tree import KEPT
from ludus.selfplay.source import Quota, Source
from ludus.store.samples import DTYPES

TICTACTOE, CONNECT4 = ludus.game("tictactoe"), ludus.game("connect4")
BOARDS = [ludus.game("wallgame:classic:5x5@6x6"), ludus.game("wallgame:classic:6x6")]


@pytest.mark.parametrize("games", [[TICTACTOE], [CONNECT4], BOARDS], ids=["tictactoe", "connect4", "two boards"])
@pytest.mark.parametrize("leaves", [1, 3])
def test_samples_replay_by_the_rules(kit, games, leaves):
    count = 14 if games is not BOARDS else 4
    finished, _ = kit.play(
        games, count, search={"leaves": leaves, "cache_entries": 512}, evaluator=HeuristicEvaluator()
    )
    assert sorted(int(each.game_id[0]) for each in finished) == list(range(count))
    for samples in finished:
        assert int(samples.game[0]) == int(samples.game_id[0]) % len(games)
        kit.check_game(games, samples)
    for name, dtype in DTYPES.items():
        assert getattr(kit.whole(finished), name).dtype == dtype


def test_only_full_searches_teach_the_policy(kit):
    for share, low, high in ((0.0, 0, 0), (0.3, 0.15, 0.45), (1.0, 1, 1)):
        samples = kit.whole(kit.play([CONNECT4], 14, full_share=share)[0])
        assert low <= (np.diff(samples.policy_start) > 0).mean() <= high


def test_a_policy_is_made_of_the_visits_of_a_full_search(kit):
    samples = kit.whole(kit.play([CONNECT4], 8, full_share=1.0, visits=24)[0])
    for index in np.flatnonzero(samples.ply < 4):  # where nothing is proved in so few visits
        visits = np.array(list(kit.policy_of(samples, index).values()))
        total = next(n for n in range(23, 64) if np.allclose(visits * n, np.rint(visits * n), atol=1e-3))
        assert total >= 23, "the root's first visit is its own"


def test_surprise_is_the_divergence_from_the_priors(kit):
    samples = kit.whole(kit.play([CONNECT4], 8, search={"noise_share": 0.0, "foresight": False})[0])
    for index in range(len(samples)):
        policy = np.array(list(kit.policy_of(samples, index).values()))
        legal = len(kit.children(CONNECT4, samples.states[index]))  # the evaluator prefers none of them
        by_hand = (policy * np.log(policy * legal)).sum() if len(policy) else 0.0
        assert samples.surprise[index] == pytest.approx(by_hand, abs=2e-3)
    assert samples.surprise.max() > 0.1


def test_random_openings_are_counted_but_not_recorded(kit):
    samples, _ = kit.play([CONNECT4], 40, random_actions=4)
    assert {int(each.ply[0]) for each in samples} == {0, 1, 2, 3, 4}
    for each in samples:
        discs = each.states.view(CONNECT4.dtype)[:, 2]
        assert discs.tolist() == each.ply.tolist()
    assert {int(each.ply[0]) for each in kit.play([CONNECT4], 6, random_actions=0)[0]} == {0}


def test_an_opening_never_ends_the_game(kit):
    for samples in kit.play([TICTACTOE], 60, random_actions=9)[0]:
        kit.check_game([TICTACTOE], samples)
        assert (samples.states[0].view(np.uint8)[:9] != 0).sum() == samples.ply[0]


def test_a_game_that_reaches_its_cap_is_a_draw(kit):
    short = copy.copy(CONNECT4)
    short.max_actions = 9
    finished, _ = kit.play([short], 12, random_actions=3)
    lengths = [int(each.ply[-1]) + 1 for each in finished]
    assert max(lengths) == 9
    for samples, length in zip(finished, lengths, strict=True):
        kit.check_game([short], samples)
        won = [a for a, s in kit.children(CONNECT4, samples.states[-1]).items() if CONNECT4.rules.outcome(s)]
        assert length < 9 or won or int(samples.outcome[0]) == DRAW
    assert any(length == 9 and each.outcome[0] == DRAW for length, each in zip(lengths, finished, strict=True))


def test_the_same_seed_plays_the_same_games(kit):
    def bytes_of(seed, worker=0):
        samples = kit.whole(
            kit.play([CONNECT4], 10, seed=seed, worker=worker, search={"cache_entries": 64, "leaves": 2})[0]
        )
        return [getattr(samples, name).tobytes() for name in DTYPES]

    assert bytes_of(1) == bytes_of(1)
    assert bytes_of(1) != bytes_of(2)
    assert bytes_of(1) != bytes_of(1, worker=1)


def test_without_temperature_the_most_visited_action_is_played(kit):
    best = total = 0
    for samples in kit.play([CONNECT4], 10, temperature=0, final_temperature=0, full_share=1.0, random_actions=2)[0]:
        for index, action in enumerate(kit.check_game([CONNECT4], samples)):
            policy = kit.policy_of(samples, index)
            best, total = best + (policy[action] == max(policy.values())), total + 1
    assert best == total > 50


def test_temperature_makes_games_differ(kit):
    class Biased:
        def lane(self, batch):
            logits, outcomes = (np.tile(np.float32(row), (batch, 1)) for row in (range(7), [0.5, 0, 0.5]))
            return TableLane(Shapes.of(CONNECT4), batch, logits, outcomes)

    def openings(**changed):
        settings = {"evaluator": Biased(), "random_actions": 0, "full_share": 0, "fast_visits": 24}
        return {
            tuple(kit.check_game([CONNECT4], each)[:6]) for each in kit.play([CONNECT4], 24, **settings | changed)[0]
        }

    assert len(openings(temperature=1.0, halflife=100)) > 12
    assert len(openings(temperature=1e-3, final_temperature=0)) < 3


def test_each_player_wins_some_of_the_games(kit):
    samples = kit.play([TICTACTOE], 60, evaluator=PlayoutEvaluator(seed=2), visits=6, fast_visits=3)[0]
    assert {int(each.outcome[0]) for each in samples} == {1, 2, 3}


# ---- quotas and workers ----------------------------------------------------------------------------------------------


def test_a_quota_gives_each_number_once_to_many_threads():
    quota, taken = Quota(2000), []

    def take():
        while (number := quota.take()) is not None:
            taken.append(number)

    threads = [threading.Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(taken) == list(range(2000))
    assert quota.take() is None


def test_a_cancelled_quota_returns_no_games_and_ends_the_workers(kit):
    quota = Quota(10)
    quota.cancelled.set()
    assert quota.take() is None
    finished, report = kit.play([CONNECT4], 10, quota=quota)
    assert (finished, report.rows) == ([], 0)


def in_threads(*works):
    """Run several functions at once, each in a thread."""
    threads = [threading.Thread(target=work) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_two_workers_share_the_games(kit):
    quota, parts, barrier, cache = Quota(300), {}, threading.Barrier(2), make_cache(1 << 10, KEPT)

    def work(worker):
        source = Source(UniformEvaluator(Shapes.of(CONNECT4)), cache=cache)
        barrier.wait()
        parts[worker] = kit.play([CONNECT4], 300, evaluator=source, quota=quota, worker=worker, parallel=4)[0]

    kit.play([CONNECT4], 1)  # everything is compiled
    in_threads(lambda: work(0), lambda: work(1))
    numbers = [int(each.game_id[0]) for part in parts.values() for each in part]
    assert sorted(numbers) == list(range(300))
    assert all(parts.values())
    for samples in (*parts[0][:10], *parts[1][:10]):
        kit.check_game([CONNECT4], samples)


def test_more_trees_than_games_are_allowed(kit):
    finished, _ = kit.play([TICTACTOE], 3, parallel=9)
    assert sorted(int(each.game_id[0]) for each in finished) == [0, 1, 2]


def test_the_report_adds_up(kit):
    finished, report = kit.play([CONNECT4], 12, search={"leaves": 2, "cache_entries": 1 << 10})
    assert report.rows == report.counters["evaluations"] <= report.capacity == report.batches * 6 * 2
    assert report.counters["cache_hits"] > 0
    assert report.counters["simulations"] == sum(
        report.counters[name] for name in ("evaluations", "cache_hits", "terminals")
    )
    assert report.search_s > 0 < report.evaluator_s
    assert len(finished) == 12


@pytest.mark.parametrize("parallel", [1, 2])
@pytest.mark.parametrize("visits", [2, 40])
def test_few_games_at_once_are_played_to_the_last(kit, parallel, visits):
    # Searches that need no evaluation (cached, proved, or kept from the last move) make batches of nothing.
    search = {"cache_entries": 1 << 12}
    finished, _ = kit.play([TICTACTOE], 25, parallel=parallel, visits=visits, fast_visits=2, search=search)
    assert sorted(int(each.game_id[0]) for each in finished) == list(range(25))
    for samples in finished:
        kit.check_game([TICTACTOE], samples)


@pytest.mark.parametrize("groups", [1, 2, 3])
def test_groups_take_turns_at_one_evaluator(kit, groups):
    finished, report = kit.play([CONNECT4], 20, groups=groups, parallel=4)
    assert sorted(int(each.game_id[0]) for each in finished) == list(range(20))
    assert report.rows <= report.capacity == report.batches * 4
    for samples in finished:
        kit.check_game([CONNECT4], samples)


def test_samples_name_the_network_that_was_asked(kit):
    source, finished = Source(UniformEvaluator(Shapes.of(CONNECT4)), network=7), []
    assert set(kit.whole(kit.play([CONNECT4], 3, evaluator=source)[0]).network.tolist()) == {7}

    class Exchanged:
        """An evaluator that gets new weights every ten batches."""

        def __init__(self):
            self.batches = 0

        def evaluate_states(self, game, words):
            self.batches += 1
            source.network = self.batches // 10
            return np.zeros((len(words), 7), np.float32), np.tile(np.float32([0.5, 0, 0.5]), (len(words), 1))

    source = Source(Exchanged())
    finished, _ = kit.play([CONNECT4], 20, evaluator=source)
    for samples in finished:
        assert (np.diff(samples.network) >= 0).all()
        kit.check_game([CONNECT4], samples)
    assert sum(len(set(samples.network.tolist())) > 1 for samples in finished) > 10, "games go on with the new network"


# ---- when something goes wrong ---------------------------------------------------------------------------------------


class Lanes:
    """An evaluator that counts its batches, and can be made to fail or to be slow."""

    def __init__(self, on_answer=lambda number: None):
        self.submitted, self.answered, self.on_answer = 0, 0, on_answer
        self.table = UniformEvaluator(Shapes.of(CONNECT4))

    def lane(self, batch):
        return Counted(self, self.table.lane(batch))


class Counted:
    """A lane of this evaluator."""

    def __init__(self, owner, lane):
        self.owner, self.inner, self.planes = owner, lane, lane.planes

    def submit(self, count):
        self.owner.submitted += 1
        self.inner.submit(count)

    def answer(self):
        self.owner.answered += 1
        self.owner.on_answer(self.owner.answered)
        return self.inner.answer()


class OnTheMoon(RuntimeError):
    """An unexpected error."""


@pytest.mark.parametrize("groups", [1, 2])
def test_an_evaluator_that_raises_ends_the_work_with_its_error(kit, groups):
    def fail(number):
        if number == 30:
            raise OnTheMoon

    quota = Quota(1000)
    with pytest.raises(OnTheMoon):
        kit.play([CONNECT4], 1000, evaluator=Lanes(fail), quota=quota, groups=groups)
    finished, _ = kit.play([CONNECT4], 1000, evaluator=Lanes(), quota=Quota(10), groups=groups)
    assert len(finished) == 10, "and another worker can start"


def test_an_evaluator_that_fails_for_every_group_leaves_no_batch_in_flight(kit):
    def fail(number):
        if number >= 30:
            raise OnTheMoon

    lanes = Lanes(fail)
    with pytest.raises(OnTheMoon):
        kit.play([CONNECT4], 1000, evaluator=lanes, groups=3)
    assert lanes.submitted == lanes.answered


def test_a_cancelled_worker_leaves_no_batch_in_flight(kit):
    for stop_at in (1, 7, 50):
        quota = Quota(1000)
        lanes = Lanes(lambda number, quota=quota, stop_at=stop_at: number == stop_at and quota.cancelled.set())
        _, report = kit.play([CONNECT4], 1000, evaluator=lanes, quota=quota, groups=2)
        assert lanes.submitted == lanes.answered == report.batches
        assert stop_at <= lanes.submitted <= stop_at + 3


def test_workers_can_be_stopped_and_started_in_the_middle_of_their_games(kit):
    evaluator, finished = UniformEvaluator(Shapes.of(CONNECT4)), []
    kit.play([CONNECT4], 1, evaluator=evaluator)
    for round_ in range(6):
        quota = Quota(100_000)

        def work(worker, quota=quota, round_=round_):
            finished.extend(kit.play([CONNECT4], 1, evaluator=evaluator, quota=quota, worker=worker, seed=round_)[0])

        timer = threading.Timer(0.03 * (1 + round_), quota.cancelled.set)
        timer.start()
        in_threads(lambda: work(0), lambda: work(1))
        timer.join()
        assert quota.cancelled.is_set()
    assert finished
    for samples in finished[::20]:
        kit.check_game([CONNECT4], samples)


def test_a_slow_evaluator_is_waited_for(kit):
    def wait(number):
        if number == 5:
            time.sleep(0.2)

    finished, report = kit.play([CONNECT4], 10, evaluator=Lanes(wait))
    assert len(finished) == 10
    assert report.evaluator_s > 0.15


@pytest.mark.parametrize("what", ["logits", "outcomes"])
@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_results_that_are_not_finite_end_the_work_with_one_message(kit, what, number):
    class Broken:
        def __init__(self):
            self.batches = 0

        def evaluate_states(self, game, words):
            answers = {
                "logits": np.zeros((len(words), 7), np.float32),
                "outcomes": np.tile(np.float32([0.5, 0, 0.5]), (len(words), 1)),
            }
            self.batches += 1
            if self.batches == 9:
                answers[what][len(words) // 2, 1] = number
            return tuple(answers.values())

    finished = []
    with pytest.raises(BadGame, match=r"^connect4: Broken answers with numbers that are not finite; .*\.$"):
        finished, _ = kit.play([CONNECT4], 1000, evaluator=Broken())
    assert not finished


def test_answers_of_other_types_are_understood(kit):
    class Careless:
        def evaluate_states(self, game, words):
            return np.zeros((7, len(words))).T, [[0.5, 0, 0.5]] * len(words)

    expected = kit.whole(kit.play([CONNECT4], 6)[0])
    found = kit.whole(kit.play([CONNECT4], 6, evaluator=Careless())[0])
    for name in DTYPES:
        assert getattr(found, name).tobytes() == getattr(expected, name).tobytes()


def test_a_network_with_results_that_are_not_finite_ends_the_work_with_one_message(kit):
    class Sick(Lanes):
        def lane(self, batch):
            def fail():
                raise BadModel("this network answers with numbers that are not finite.")

            lane = super().lane(batch)
            lane.answer = fail
            return lane

    with pytest.raises(BadModel, match="not finite"):
        kit.play([CONNECT4], 10, evaluator=Sick())
