"""Games of self-play follow the rules, and every sample says what happened."""

import copy
import threading

import numpy as np
import pytest

import ludus
from ludus.games.game import DRAW
from ludus.network.config import Shapes
from ludus.network.evaluator import TableLane, UniformEvaluator
from ludus.players.instinct import HeuristicEvaluator, RolloutEvaluator
from ludus.search.settings import SearchSettings
from ludus.selfplay.settings import SelfplaySettings
from ludus.selfplay.worker import Quota, run_worker
from ludus.store import Samples
from ludus.store.samples import DTYPES

TICTACTOE, CONNECT4 = ludus.game("tictactoe"), ludus.game("connect4")
BOARDS = [ludus.game("wallgame:classic:5x5@6x6"), ludus.game("wallgame:classic:6x6")]
QUICK = {"parallel": 6, "visits": 24, "fast_visits": 8, "full_share": 0.5, "halflife": 4.0}


def play(games, num_games, *, evaluator=None, seed=0, quota=None, leaves=1, cache_entries=0, worker=0, **changed):
    """Play games with one worker; return the samples of each game, in the order in which they ended, and the report."""
    finished: list[Samples] = []
    report = run_worker(
        games,
        evaluator or UniformEvaluator(Shapes.of(games[0])),
        SearchSettings(leaves=leaves, cache_entries=cache_entries),
        SelfplaySettings(games=num_games, **QUICK | changed),
        quota or Quota(num_games),
        finished.append,
        seed=seed,
        worker=worker,
    )
    return finished, report


def whole(finished):
    return Samples.concatenate(sorted(finished, key=lambda each: int(each.game_id[0])))


def policy_of(samples, index):
    pairs = slice(samples.policy_start[index], samples.policy_start[index + 1])
    return dict(zip(samples.policy_action[pairs].tolist(), samples.policy_weight[pairs].tolist(), strict=True))


def children(game, words):
    """Return the legal actions and what each leads to."""
    state, actions = words.view(game.dtype), np.zeros(game.max_legal, np.int16)
    after = {}
    with np.errstate(over="ignore"):
        for action in map(int, actions[: game.rules.legal(state, actions)]):
            after[action] = state.copy()
            game.rules.play(after[action], action)
    return after


def check_game(games, samples, *, openings=()):
    """Replay one game by the rules; return the actions that were played (but the last, which leaves no state)."""
    game = games[int(samples.game[0])]
    assert (
        len(set(samples.game.tolist())) == len(set(samples.game_id.tolist())) == len(set(samples.outcome.tolist())) == 1
    )
    assert samples.ply.tolist() == list(range(int(samples.ply[0]), int(samples.ply[0]) + len(samples)))
    played = []
    for index in range(len(samples)):
        state = samples.states[index].view(game.dtype)
        assert int(game.rules.outcome(state)) == 0
        assert int(samples.mover[index]) == int(game.rules.to_play(state))
        assert -1 <= samples.root_value[index] <= 1
        assert 0 <= samples.root_draw[index] <= 1
        after, policy = children(game, samples.states[index]), policy_of(samples, index)
        assert policy.keys() <= after.keys()
        if policy:
            assert sum(policy.values()) == pytest.approx(1, abs=1e-5)
            assert min(policy.values()) > 0
        if index + 1 < len(samples):
            action = next(a for a in after if (after[a].view(np.uint64) == samples.states[index + 1]).all())
            assert not policy or action in policy
            played.append(action)
        elif samples.ply[index] + 1 < game.max_actions:
            endings = {int(game.rules.outcome(after[action])) for action in policy or after}
            assert int(samples.outcome[0]) in endings, "one of the last actions ends the game so"
        else:
            outcomes = {int(game.rules.outcome(after[action])) or DRAW for action in policy or after}
            assert int(samples.outcome[0]) in outcomes
    return played


@pytest.mark.parametrize("games", [[TICTACTOE], [CONNECT4], BOARDS], ids=["tictactoe", "connect4", "two boards"])
@pytest.mark.parametrize("leaves", [1, 3])
def test_samples_replay_by_the_rules(games, leaves):
    count = 14 if games is not BOARDS else 4
    finished, _ = play(games, count, leaves=leaves, cache_entries=512, evaluator=HeuristicEvaluator())
    assert sorted(int(each.game_id[0]) for each in finished) == list(range(count))
    for samples in finished:
        assert int(samples.game[0]) == int(samples.game_id[0]) % len(games)
        check_game(games, samples)
    for name, dtype in DTYPES.items():
        assert getattr(whole(finished), name).dtype == dtype


def test_only_full_searches_teach_the_policy():
    for share, low, high in ((0.0, 0, 0), (0.3, 0.15, 0.45), (1.0, 1, 1)):
        samples = whole(play([CONNECT4], 14, full_share=share)[0])
        assert low <= (np.diff(samples.policy_start) > 0).mean() <= high


def test_a_policy_is_made_of_the_visits_of_a_full_search():
    samples = whole(play([CONNECT4], 8, full_share=1.0, visits=24)[0])
    for index in range(len(samples)):
        visits = np.array(list(policy_of(samples, index).values()))
        total = next(n for n in range(23, 64) if np.allclose(visits * n, np.rint(visits * n), atol=1e-3))
        assert total >= 23, "the root's first visit is its own"


def test_random_openings_are_counted_but_not_recorded():
    samples, _ = play([CONNECT4], 40, random_actions=4)
    assert {int(each.ply[0]) for each in samples} == {0, 1, 2, 3, 4}
    for each in samples:
        discs = each.states.view(CONNECT4.dtype)[:, 2]
        assert discs.tolist() == each.ply.tolist()
    assert {int(each.ply[0]) for each in play([CONNECT4], 6, random_actions=0)[0]} == {0}


def test_an_opening_never_ends_the_game():
    for samples in play([TICTACTOE], 60, random_actions=9)[0]:
        check_game([TICTACTOE], samples)
        assert (samples.states[0].view(np.uint8)[:9] != 0).sum() == samples.ply[0]


def test_a_game_that_reaches_its_cap_is_a_draw():
    short = copy.copy(CONNECT4)
    short.max_actions = 9
    finished, _ = play([short], 12, random_actions=3)
    lengths = [int(each.ply[-1]) + 1 for each in finished]
    assert max(lengths) == 9
    for samples, length in zip(finished, lengths, strict=True):
        check_game([short], samples)
        won = [a for a, s in children(CONNECT4, samples.states[-1]).items() if CONNECT4.rules.outcome(s)]
        assert length < 9 or won or int(samples.outcome[0]) == DRAW
    assert any(length == 9 and each.outcome[0] == DRAW for length, each in zip(lengths, finished, strict=True))


def test_the_same_seed_plays_the_same_games():
    def bytes_of(seed, worker=0):
        samples = whole(play([CONNECT4], 10, seed=seed, worker=worker, cache_entries=64, leaves=2)[0])
        return [getattr(samples, name).tobytes() for name in DTYPES]

    assert bytes_of(1) == bytes_of(1)
    assert bytes_of(1) != bytes_of(2)
    assert bytes_of(1) != bytes_of(1, worker=1)


def test_without_temperature_the_most_visited_action_is_played():
    best = total = 0
    for samples in play([CONNECT4], 10, temperature=0, final_temperature=0, full_share=1.0, random_actions=2)[0]:
        for index, action in enumerate(check_game([CONNECT4], samples)):
            policy = policy_of(samples, index)
            best, total = best + (policy[action] > 0.9 * max(policy.values())), total + 1
    assert best == total > 50


def test_temperature_makes_games_differ():
    class Biased:
        def lane(self, batch):
            logits, outcomes = (np.tile(np.float32(row), (batch, 1)) for row in (range(7), [0.5, 0, 0.5]))
            return TableLane(Shapes.of(CONNECT4), batch, logits, outcomes)

    def openings(**changed):
        settings = {"evaluator": Biased(), "random_actions": 0, "full_share": 0, "fast_visits": 24}
        return {tuple(check_game([CONNECT4], each)[:6]) for each in play([CONNECT4], 24, **settings | changed)[0]}

    assert len(openings(temperature=1.0, halflife=100)) > 12
    assert len(openings(temperature=1e-3, final_temperature=0)) < 3


def test_all_games_are_won_by_somebody_at_times():
    samples = play([TICTACTOE], 60, evaluator=RolloutEvaluator(seed=2), visits=6, fast_visits=3)[0]
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


def test_a_cancelled_quota_gives_nothing_and_ends_the_work():
    quota = Quota(10)
    quota.cancelled.set()
    assert quota.take() is None
    finished, report = play([CONNECT4], 10, quota=quota)
    assert (finished, report.rows) == ([], 0)


def test_two_workers_share_the_games():
    quota, parts = Quota(30), {}

    def work(worker):
        parts[worker] = play([CONNECT4], 30, quota=quota, worker=worker, parallel=4)[0]

    threads = [threading.Thread(target=work, args=(worker,)) for worker in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    numbers = [int(each.game_id[0]) for part in parts.values() for each in part]
    assert sorted(numbers) == list(range(30))
    assert all(parts.values())
    for samples in (*parts[0], *parts[1]):
        check_game([CONNECT4], samples)


def test_more_places_than_games_do_no_harm():
    finished, _ = play([TICTACTOE], 3, parallel=9)
    assert sorted(int(each.game_id[0]) for each in finished) == [0, 1, 2]


def test_the_report_adds_up():
    finished, report = play([CONNECT4], 12, leaves=2, cache_entries=1 << 10)
    assert report.rows == report.counters["evaluations"] <= report.capacity == report.batches * 6 * 2
    assert report.counters["cache_hits"] > 0
    assert report.counters["simulations"] == sum(
        report.counters[name] for name in ("evaluations", "cache_hits", "terminals")
    )
    assert report.search_s > 0 < report.evaluator_s
    assert len(finished) == 12
