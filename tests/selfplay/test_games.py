"""Rules of self-play games: tree reuse, growing visits, Gumbel searches, resignation and its error rate, forks."""

import numpy as np
import pytest

import ludus
from ludus.games.calls import RULES
from ludus.games.connect4.solver import ConnectFourSolver
from ludus.network.config import Shapes
from ludus.network.evaluator import NullEvaluator, UniformEvaluator
from ludus.players.opponents.solver import action_values
from ludus.search.backup import DRAW, exact_value
from ludus.search.settings import SearchSettings
from ludus.selfplay.settings import SelfplaySettings
from ludus.selfplay.source import Quota, Source
from ludus.selfplay.worker_pool import run_worker

foresee = RULES["foresee"].entry

TICTACTOE, CONNECT4 = ludus.game("tictactoe"), ludus.game("connect4")
BOARDS = [ludus.game("wallgame:classic:3x3@4x4"), ludus.game("wallgame:classic:4x4")]


class Rigged:
    """An evaluator whose values, from player 0's perspective, are given by a function of the number of discs."""

    def __init__(self, value):
        self.value = value

    def evaluate_states(self, game, words):
        discs = words.view(CONNECT4.dtype).reshape(len(words), -1)[:, 2]  # actions so far
        values = np.array([self.value(int(count)) for count in discs])
        mover_values = np.where(discs % 2 == 0, values, -values)
        outcomes = np.stack([0.5 + 0.5 * mover_values, np.zeros(len(words)), 0.5 - 0.5 * mover_values], axis=1)
        return np.zeros((len(words), game.num_actions), np.float32), outcomes.astype(np.float32)


# ---- searches --------------------------------------------------------------------------------------------------------


def visits_of(kit, samples, index):
    """Return the smallest visit count that is consistent with the weights of a policy."""
    shares = np.array(list(kit.policy_of(samples, index).values()))
    return next(n for n in range(1, 200) if np.allclose(shares * n, np.rint(shares * n), atol=1e-3))


def test_a_search_with_a_new_tree_has_all_its_visits(kit):
    settings = {"full_share": 1.0, "visits": 30, "random_actions": 0, "search": {"foresight": False}}
    anew, report = kit.play([CONNECT4], 20, reuse=False, **settings)
    samples = kit.whole(anew)
    early = np.flatnonzero(samples.ply < 4)  # nothing is proved yet
    assert all(29 % visits_of(kit, samples, index) == 0 for index in early)
    _, reusing = kit.play([CONNECT4], 20, reuse=True, **settings)
    assert report.counters["simulations"] > 1.2 * reusing.counters["simulations"]
    for each in anew:
        kit.check_game([CONNECT4], each)


def test_self_play_keeps_foreseen_outcomes(kit):
    solver, foreseen = ConnectFourSolver(entries=1 << 16), 0
    samples = kit.whole(kit.play([CONNECT4], 12, random_actions=16)[0])
    for index, state in enumerate(samples.states):
        certain = int(foresee(CONNECT4.rules, state.view(CONNECT4.dtype)))
        policy = kit.policy_of(samples, index)
        if certain:
            seen = (samples.root_value[index], samples.root_draw[index])
            assert seen == (exact_value(certain), certain == DRAW), "the exact value, not the evaluator's"
        if certain and policy:
            values = action_values(solver, CONNECT4, state)
            foreseen += any(value != exact_value(certain) for value in values.values())
            assert {values[action] for action in policy} == {exact_value(certain)}
    assert foreseen > 10


def test_fast_searches_always_reuse_the_tree(kit):
    for search in ({}, {"gumbel_actions": 4}):
        reports = [
            kit.play([CONNECT4], 30, reuse=reuse, full_share=0.0, fast_visits=20, search=search)[1]
            for reuse in (True, False)
        ]
        assert reports[0].counters == reports[1].counters


def test_visits_grow_with_the_run(kit):
    settings = {"first_visits": 8, "visits": 72, "full_share": 1.0, "reuse": False, "random_actions": 0}
    for progress, visits in ((0.0, 8), (0.5, 24), (1.0, 72)):
        samples = kit.whole(kit.play([CONNECT4], 4, progress=progress, **settings)[0])
        early = np.flatnonzero(samples.ply < 3)
        assert all((visits - 1) % visits_of(kit, samples, index) == 0 for index in early)


@pytest.mark.parametrize(("num_actions", "leaves"), [(2, 1), (4, 3), (16, 1)])
def test_samples_of_gumbel_searches_teach_an_improved_policy(kit, num_actions, leaves):
    search = {"gumbel_actions": num_actions, "gumbel_scale": 0.02, "leaves": leaves, "cache_entries": 256}
    search["foresight"] = False  # an action that is proved lost would not be taught
    finished, _ = kit.play([CONNECT4], 12, evaluator=NullEvaluator(Shapes.of(CONNECT4)), search=search, full_share=0.5)
    for each in finished:
        kit.check_game([CONNECT4], each)
    samples = kit.whole(finished)
    taught = np.diff(samples.policy_start)
    early = samples.ply < 4
    assert taught[early & (taught > 0)].min() > 4, "actions that were not visited, too"
    policy = kit.policy_of(samples, int(np.flatnonzero(early & (taught > 0))[0]))
    assert len({round(weight, 5) for weight in policy.values()}) > 1


def test_a_cheap_gumbel_search_finds_wins(kit):
    """In positions with a win in one, the policy target is the win."""
    samples = kit.whole(kit.play([TICTACTOE], 60, search={"gumbel_actions": 9}, full_share=1.0, visits=20)[0])
    wins = 0
    for index in range(len(samples)):
        mover = int(samples.mover[index])
        after = kit.children(TICTACTOE, samples.states[index])
        winning = {action for action, state in after.items() if TICTACTOE.rules.outcome(state) == 1 + mover}
        if winning:
            wins += 1
            assert kit.policy_of(samples, index).keys() <= winning
            assert samples.root_value[index] == (1 if mover == 0 else -1)
    assert wins > 20


# ---- resignation -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("loser", [0, 1])
def test_a_player_resigns_after_so_many_hopeless_moves_in_a_row(kit, loser):
    evaluator = Rigged(lambda _discs: -0.99 if loser == 0 else 0.99)
    settings = {"resign_moves": 3, "resign_below": -0.9, "played_out_share": 0.0, "random_actions": 0}
    settings["search"] = {"foresight": False}  # it would override this evaluator
    finished, report = kit.play([CONNECT4], 20, evaluator=evaluator, **settings)
    for samples in finished:
        assert samples.outcome[0] == 2 - loser
        assert samples.mover.tolist() == ([0, 1, 0, 1, 0] if loser == 0 else [0, 1, 0, 1, 0, 1])
    assert (report.played_out, report.wrongly_resigned) == (0, 0)


class Lost:
    """An evaluator that returns a loss for player 0 in every position."""

    def evaluate_states(self, game, words):
        movers = np.array([int(game.rules.to_play(state)) for state in words.view(game.dtype)])
        outcomes = np.zeros((len(words), 3), np.float32)
        outcomes[np.arange(len(words)), np.where(movers == 0, 2, 0)] = 1.0
        return np.zeros((len(words), game.num_actions), np.float32), outcomes


@pytest.mark.parametrize("resign_moves", [1, 2])
def test_a_move_of_several_actions_is_one_hopeless_move(kit, resign_moves):
    settings = {"played_out_share": 0.0, "random_actions": 0, "visits": 2, "fast_visits": 2, "full_share": 1.0}
    finished, _ = kit.play([BOARDS[1]], 6, evaluator=Lost(), resign_moves=resign_moves, **settings)
    for samples in finished:
        moves = 1 + np.count_nonzero(np.diff(samples.mover.astype(int)))
        assert moves == 2 * resign_moves - 1, "player 0 resigns at the beginning of a move"
        assert samples.mover.tolist().count(0) == 2 * (resign_moves - 1) + 1


def test_a_hopeful_move_resets_the_count_of_hopeless_moves(kit):
    evaluator = Rigged(lambda discs: -0.99 if discs // 2 % 2 == 0 else 0.2)  # bad for player 0 at every other move
    settings = {"resign_below": -0.4, "played_out_share": 0.0, "random_actions": 0, "visits": 2, "fast_visits": 2}
    finished, _ = kit.play([CONNECT4], 20, evaluator=evaluator, resign_moves=2, **settings)
    assert min(map(len, finished)) >= 7, "nobody resigned"
    finished, _ = kit.play([CONNECT4], 20, evaluator=evaluator, resign_moves=1, **settings)
    assert {len(samples) for samples in finished} == {1}


@pytest.mark.parametrize(("said", "weight"), [({}, 0.1), ({"accelerated_weight": 0.0}, 0.0)])
def test_a_hopeless_game_may_be_finished_with_accelerated_searches(kit, said, weight):
    settings = {
        "resign_moves": 2,
        "resign_below": -0.9,
        "played_out_share": 0.0,
        "random_actions": 0,
        "full_share": 1.0,
        "accelerated_visits": 3,
        "search": {"foresight": False},  # it would override this evaluator
    }
    finished, _ = kit.play([CONNECT4], 10, evaluator=Rigged(lambda _discs: -0.99), **settings, **said)
    for samples in finished:
        kit.check_game([CONNECT4], samples)
        taught = np.diff(samples.policy_start) > 0
        assert taught.tolist() == [True] * 3 + [False] * (len(samples) - 3)
        assert len(samples) >= 7, "nobody resigned"
        np.testing.assert_array_equal(samples.weight, np.where(taught, 1.0, np.float32(weight)))


def test_positions_that_are_not_accelerated_keep_their_weight(kit):
    settings = {"resign_moves": 2, "resign_below": -0.9, "random_actions": 0, "search": {"foresight": False}}
    for others in (
        {"accelerated_visits": 3, "played_out_share": 1.0},  # games without resigning
        {"accelerated_visits": 0, "played_out_share": 0.0},  # games end by resignation
    ):
        finished, _ = kit.play([CONNECT4], 10, evaluator=Rigged(lambda _discs: -0.99), **settings | others)
        assert (kit.whole(finished).weight == 1.0).all(), "short searches of a game that goes on, too"


def test_accelerated_searches_may_be_deeper_than_fast_ones(kit):
    settings = {"resign_moves": 1, "resign_below": 1.0, "played_out_share": 0.0, "random_actions": 0}
    few, many = (
        kit.play([CONNECT4], 6, visits=8, fast_visits=4, accelerated_visits=visits, **settings)[1].counters
        for visits in (8, 80)
    )
    assert (few["full_trees"], many["full_trees"]) == (0, 0)
    assert many["simulations"] > 4 * few["simulations"]


def test_no_player_resigns_where_resigning_is_off(kit):
    finished, report = kit.play([CONNECT4], 10, evaluator=Rigged(lambda _discs: -1.0), resign_moves=0)
    for samples in finished:
        kit.check_game([CONNECT4], samples)
    assert (report.played_out, report.wrongly_resigned) == (0, 0)


def test_games_without_resigning_measure_its_error_rate(kit):
    settings = {"resign_moves": 2, "resign_below": -0.9, "random_actions": 0, "search": {"foresight": False}}
    finished, report = kit.play(
        [CONNECT4], 60, evaluator=Rigged(lambda _discs: -0.99), played_out_share=1.0, **settings
    )
    for samples in finished:
        kit.check_game([CONNECT4], samples)
    outcomes = [int(samples.outcome[0]) for samples in finished]
    assert report.played_out == 60, "player 0 would have resigned each of them"
    assert report.wrongly_resigned == sum(outcome != 2 for outcome in outcomes)
    assert 0 < report.wrongly_resigned < 60


def test_a_share_of_the_games_is_played_out(kit):
    settings = {"resign_moves": 1, "resign_below": -0.9, "random_actions": 0, "played_out_share": 0.3}
    finished, report = kit.play([CONNECT4], 200, evaluator=Rigged(lambda _discs: -0.99), **settings)
    lengths = np.array([len(samples) for samples in finished])
    assert report.played_out == (lengths > 1).sum()
    assert 30 < report.played_out < 90
    assert report.wrongly_resigned == sum(int(samples.outcome[0]) != 2 for samples in finished)


# ---- forks -----------------------------------------------------------------------------------------------------------

WHEREVER_THEY_CAN = 1.0 - 1e-9  # all games but the first are forks, if a fork is possible


@pytest.mark.parametrize(
    ("game", "fork_share"), [(CONNECT4, 0.5), (CONNECT4, WHEREVER_THEY_CAN), (TICTACTOE, WHEREVER_THEY_CAN)]
)
def test_forks_begin_at_another_action_of_the_last_game_that_was_no_fork(kit, game, fork_share):
    settings = {"fork_share": fork_share, "parallel": 1, "random_actions": 0, "visits": 4, "fast_visits": 2}
    finished, _ = kit.play([game], 60, **settings)
    whole, begins = [], []
    for samples in finished:
        kit.check_game([game], samples)
        begun = int(samples.ply[0])
        if begun == 0:
            whole.append(samples)
            continue
        last, at = whole[-1], begun - 1
        after = kit.children(game, last.states[at])
        played = after.pop(int(last.action[at])).view(np.uint64)
        assert (samples.states[0] != played).any()
        assert any((samples.states[0] == state.view(np.uint64)).all() for state in after.values())
        begins.append(begun)
    assert len(begins) > 20
    assert len(set(begins)) > 3
    assert len(whole) > 1 or fork_share == WHEREVER_THEY_CAN


def test_without_a_possible_fork_a_game_begins_at_the_start(kit):
    settings = {"fork_share": WHEREVER_THEY_CAN, "parallel": 1, "random_actions": 0, "visits": 4, "fast_visits": 2}
    anew = 0
    for seed in range(5):
        first, *others = kit.play([TICTACTOE], 40, seed=seed, **settings)[0]
        at_start = [samples for samples in others if int(samples.ply[0]) == 0]
        assert all((samples.states[0] == first.states[0]).all() for samples in at_start)
        anew += len(at_start)
    assert anew > 0, "the last position of a full board has no other action"


def test_without_forks_every_game_begins_at_the_start(kit):
    finished, _ = kit.play([CONNECT4], 10, random_actions=0, parallel=1)
    assert {int(samples.ply[0]) for samples in finished} == {0}


def test_forks_of_several_boards_stay_on_their_own(kit):
    settings = {"fork_share": WHEREVER_THEY_CAN, "visits": 4, "fast_visits": 2, "parallel": 3}
    for samples in kit.play(BOARDS, 10, **settings)[0]:
        kit.check_game(BOARDS, samples)


def test_boards_that_take_turns_are_forked_as_often_as_one_alone(kit):
    settings = {"fork_share": WHEREVER_THEY_CAN, "visits": 4, "fast_visits": 2, "parallel": 1, "random_actions": 0}
    finished, _ = kit.play(BOARDS, 12, **settings)
    forked = [int(samples.game[0]) for samples in finished if int(samples.ply[0]) > 0]
    assert forked.count(0) >= 4
    assert forked.count(1) >= 4


def test_every_game_is_searched_though_wide_roots_take_many_rows(kit):
    game_batches, starved = [], []

    def look(_samples):
        (game_batch,) = game_batches
        waits = (game_batch._playing == np.arange(24)) & (
            game_batch._record.length == 0
        )  # in its first game, at its first move
        starved.append(int(waits.sum()))

    source = Source(UniformEvaluator(Shapes.of(TICTACTOE)))
    settings = SelfplaySettings(games=60, parallel=24, visits=24, fast_visits=8)
    search = SearchSettings(cache_entries=0, root_symmetries=8)
    run_worker(
        [TICTACTOE], source, search, settings, Quota(60), look, seed=0, worker=0, on_game_batch=game_batches.append
    )
    assert len(starved) == 60
    assert starved[-1] == 0
    assert starved[30] == 0


def test_self_play_draws_a_random_setup_for_each_game(kit):
    game = ludus.game("wallgame:freestyle:4x4")
    finished, _ = kit.play([game], 12, random_actions=0)
    begun = {samples.states[0].tobytes() for samples in finished}
    assert len(begun) > 6
    assert {int(samples.ply[0]) for samples in finished} == {0}
