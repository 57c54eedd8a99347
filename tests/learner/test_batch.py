"""Training batches contain encoded positions under symmetries, with targets from the mover's view."""

import dataclasses

import numpy as np
import pytest

import ludus
from ludus.learner.batch import Drawer
from ludus.store import Samples, Window

TICTACTOE = ludus.game("tictactoe")
SQUARE, OBLONG = "wallgame:classic:6x6", "wallgame:classic:5x6@6x6"


def draw_batch(games, samples, places, value_mix, rng, **options):
    window = Window()
    window.extend(samples)
    return Drawer(games, window, value_mix=value_mix, **options).draw(places, rng)


def turned(game, samples, index, symmetry):
    """Return planes and policy of a position under a symmetry, computed by the rules."""
    state = samples.states[index].view(game.dtype)
    out, planes, policy = game.empty_state(), np.zeros(game.planes, np.uint8), np.zeros(game.num_actions, np.float32)
    out[:] = state
    pairs = slice(samples.policy_start[index], samples.policy_start[index + 1])
    with np.errstate(over="ignore"):
        if symmetry:
            game.rules.symmetric_state(state, symmetry, out)
        game.rules.encode(out, planes)
        for action, weight in zip(samples.policy_action[pairs], samples.policy_weight[pairs], strict=True):
            policy[int(game.rules.symmetric_action(state, symmetry, int(action))) if symmetry else action] += weight
    return planes, policy


def symmetries_of_rows(games, samples, indices, batch):
    """Return for each row the symmetries that explain its planes and policy; fail if there is none."""
    explained = []
    for row, index in enumerate(indices):
        game = games[int(samples.game[index])]
        fits = [
            symmetry
            for symmetry in range(game.num_symmetries)
            for planes, policy in [turned(game, samples, index, symmetry)]
            if (planes == batch.planes[row]).all() and np.allclose(policy, batch.policy[row])
        ]
        assert fits, f"row {row} is not an image of its position"
        explained.append(fits)
    return explained


@pytest.mark.parametrize(
    ("specs", "num_games"),
    [(["tictactoe"], 12), (["connect4"], 3), ([SQUARE, OBLONG], 2)],
    ids=["tictactoe", "connect4", "two boards"],
)
def test_a_row_is_the_encoding_of_the_symmetric_position(play, specs, num_games):
    games, samples = play(specs, num_games)
    rng = np.random.default_rng(2)
    indices = rng.integers(0, len(samples), 60)
    batch = draw_batch(games, samples, indices, 0.5, rng)
    explained = symmetries_of_rows(games, samples, indices, batch)
    certain = {fits[0] for fits in explained if len(fits) == 1}
    assert len(certain) == max(game.num_symmetries for game in games), "every symmetry is drawn"


def test_without_symmetries_rows_are_the_positions_themselves(play):
    games, samples = play(["tictactoe"], 12)
    indices = np.arange(len(samples))
    batch = draw_batch(games, samples, indices, 0.5, np.random.default_rng(2), symmetries=False)
    assert all(0 in fits for fits in symmetries_of_rows(games, samples, indices, batch))


def test_boards_of_one_run_keep_to_their_own_symmetries(play):
    games, samples = play([SQUARE, OBLONG], 2)
    assert [game.num_symmetries for game in games] == [8, 4]
    oblong = np.flatnonzero(samples.game == 1)
    batch = draw_batch(games, samples, oblong, 0.5, np.random.default_rng(0))
    symmetries_of_rows(games, samples, oblong, batch)


def test_policies_sum_to_one_or_to_nothing(play):
    games, samples = play(["connect4"], 6)
    batch = draw_batch(games, samples, np.arange(len(samples)), 0.5, np.random.default_rng(0))
    taught = np.diff(samples.policy_start) > 0
    assert 0 < taught.mean() < 1
    np.testing.assert_allclose(batch.policy.sum(1), taught, atol=1e-5)
    np.testing.assert_allclose(batch.outcome.sum(1), 1, atol=1e-5)
    assert batch.outcome.min() >= -1e-6


WON, DRAWN, LOST = (1, 0, 0), (0, 1, 0), (0, 0, 1)


@pytest.mark.parametrize(
    ("mover", "outcome", "expected"),
    [(0, 1, WON), (0, 2, LOST), (0, 3, DRAWN), (1, 1, LOST), (1, 2, WON), (1, 3, DRAWN)],
)
def test_the_outcome_is_seen_by_the_mover(one_sample, mover, outcome, expected):
    samples = one_sample(mover=mover, outcome=outcome, root_value=0.3, root_draw=0.2)
    batch = draw_batch([TICTACTOE], samples, np.zeros(8, np.int64), 0.0, np.random.default_rng(0))
    np.testing.assert_allclose(batch.outcome, [expected] * 8)


@pytest.mark.parametrize(("mover", "expected"), [(0, (0.55, 0.2, 0.25)), (1, (0.25, 0.2, 0.55))])
def test_the_value_of_the_search_is_seen_by_the_mover(one_sample, mover, expected):
    samples = one_sample(mover=mover, outcome=1, root_value=0.3, root_draw=0.2)
    batch = draw_batch([TICTACTOE], samples, np.zeros(1, np.int64), 1.0, np.random.default_rng(0))
    np.testing.assert_allclose(batch.outcome, [expected], atol=1e-6)


def test_outcome_and_search_are_mixed_in_their_shares(one_sample):
    samples = one_sample(mover=1, outcome=2, root_value=0.3, root_draw=0.2)
    batch = draw_batch([TICTACTOE], samples, np.zeros(1, np.int64), 0.25, np.random.default_rng(0))
    np.testing.assert_allclose(batch.outcome, [[0.75 + 0.25 * 0.25, 0.25 * 0.2, 0.25 * 0.55]], atol=1e-6)


def test_a_position_may_occur_twice_in_a_batch(one_sample):
    samples = Samples.concatenate([one_sample(mover=m, outcome=1, root_value=0, root_draw=0) for m in (0, 1)])
    batch = draw_batch([TICTACTOE], samples, np.array([1, 1, 0]), 0.0, np.random.default_rng(0))
    np.testing.assert_allclose(batch.outcome, [LOST, LOST, WON])
    np.testing.assert_allclose(batch.policy.sum(1), 1)


def slow_targets(game, samples, at, symmetry, horizons):
    """Return reply, short values, moves left and maps of a position, computed step by step."""
    rows = [i for i in range(len(samples)) if samples.game_id[i] == samples.game_id[at]]
    rows.sort(key=lambda i: int(samples.ply[i]))
    mover, later = int(samples.mover[at]), [i for i in rows if samples.ply[i] > samples.ply[at]]
    reply = np.zeros(game.num_actions)
    answer = next((i for i in later if samples.mover[i] != mover), None)
    if answer is not None:
        reply = turned(game, samples, answer, symmetry)[1]
    sign = 1 - 2 * mover
    seen = [(sign * float(samples.root_value[i]), float(samples.root_draw[i])) for i in later]
    ended = {1: (1.0, 0.0), 2: (-1.0, 0.0), 3: (0.0, 1.0)}[int(samples.outcome[at])]
    final = (sign * ended[0], ended[1])
    short = []
    for horizon in horizons:
        weights = [(1 - 1 / horizon) ** k / horizon for k in range(len(seen))]
        value, drawn = (
            sum(w * each[part] for w, each in zip(weights, seen, strict=True)) + (1 - sum(weights)) * final[part]
            for part in (0, 1)
        )
        short.append([(1 - drawn + value) / 2, drawn, (1 - drawn - value) / 2])
    maps, known = np.zeros((game.num_maps, *game.planes[1:]), np.uint8), int(samples.action[rows[-1]]) >= 0
    if known and game.num_maps:
        end = samples.states[rows[-1]].copy().view(game.dtype)
        image = game.empty_state()
        with np.errstate(over="ignore"):
            game.rules.play(end, int(samples.action[rows[-1]]))
            image[:] = end
            if symmetry:
                game.rules.symmetric_state(end, symmetry, image)
            game.rules.final_maps(image, mover, maps)
    return reply, short, np.log(1 + len(later) + 1), maps, known


HEADS = ("reply", "short_values", "moves_left", "maps")


@pytest.mark.parametrize(("specs", "num_games"), [(["tictactoe"], 9), (["connect4"], 5), ([SQUARE], 2)], ids=str)
def test_auxiliary_targets_agree_with_the_slow_way(play, specs, num_games):
    games, samples = play(specs, num_games)
    rng = np.random.default_rng(3)
    places = rng.permutation(len(samples))[:40]
    horizons = (1, 4, 12)
    batch = draw_batch(games, samples, places, 0.5, rng, auxiliary=HEADS, horizons=horizons)
    explained = symmetries_of_rows(games, samples, places, batch)
    for row, at in enumerate(places):
        reply, short, left, maps, known = slow_targets(games[0], samples, at, explained[row][0], horizons)
        if len(explained[row]) == 1:  # otherwise the symmetry is ambiguous
            np.testing.assert_allclose(batch.reply[row], reply, atol=1e-6)
            np.testing.assert_array_equal(batch.maps[row], maps)
        np.testing.assert_allclose(batch.short_values[row], short, atol=1e-5)
        assert batch.moves_left[row] == pytest.approx(left)
        assert batch.maps_known[row] == known


def test_a_resigned_game_has_no_final_maps(play):
    games, samples = play(["connect4"], 5)
    last = np.flatnonzero(np.append(np.diff(samples.game_id) != 0, True))
    action = samples.action.copy()
    action[last[0]] = -1
    resigned = dataclasses.replace(samples, action=action)
    batch = draw_batch(
        games, resigned, np.arange(len(samples)), 0.5, np.random.default_rng(0), auxiliary=HEADS, horizons=(4,)
    )
    assert (batch.maps_known == (samples.game_id != samples.game_id[last[0]])).all()
    assert not batch.maps[batch.maps_known == 0].any()


def test_unused_targets_take_no_memory(play):
    games, samples = play(["connect4"], 5)
    batch = draw_batch(games, samples, np.arange(9), 0.5, np.random.default_rng(0), auxiliary=("reply",))
    assert batch.reply.shape == (9, 7)
    assert len(batch.short_values) == len(batch.moves_left) == len(batch.maps) == len(batch.maps_known) == 0


def test_rows_of_several_parts_come_in_the_order_asked_for(play):
    games, samples = play(["connect4"], 5)
    half = int(np.flatnonzero(np.diff(samples.game_id))[1]) + 1
    window = Window()
    for rows in (np.arange(half), np.arange(half, len(samples))):
        window.extend(samples.take(rows))
    drawer = Drawer(games, window, value_mix=0.5)
    places = np.array([half, 0, len(samples) - 1, half - 1, half, 3])
    for _ in range(2):
        batch = drawer.draw(places, np.random.default_rng(1))
        symmetries_of_rows(games, samples, places, batch)
        np.testing.assert_array_equal(batch.mover, samples.mover[places])


@pytest.mark.parametrize("threads", [2, 3, 64])
def test_many_threads_write_the_rows_that_one_would(play, threads):
    games, samples = play([SQUARE, OBLONG], 2)
    window = Window()
    for half in np.array_split(np.arange(len(samples)), 2):
        window.extend(samples.take(half))
    places = np.random.default_rng(3).integers(0, len(samples), 50)
    options = {"value_mix": 0.5, "auxiliary": HEADS, "horizons": (4, 8)}
    alone = Drawer(games, window, **options).draw(places, np.random.default_rng(1))
    shared = Drawer(games, window, **options, threads=threads)
    for _ in range(3):
        batch = shared.draw(places, np.random.default_rng(1))
        assert all(mine.tobytes() == theirs.tobytes() for mine, theirs in zip(alone, batch, strict=True))
    few = shared.draw(places[:1], np.random.default_rng(1))
    assert len(few.mover) == 1


def test_a_resigned_game_has_as_many_moves_left_as_were_played(play):
    games, samples = play(["connect4"], 1)
    action = samples.action.copy()
    action[-1] = -1
    resigned = dataclasses.replace(samples, action=action)
    for given, last in ((samples, 1), (resigned, 0)):
        batch = draw_batch(
            games, given, np.arange(len(given)), 0.5, np.random.default_rng(0), auxiliary=HEADS, horizons=(4,)
        )
        left = np.round(np.exp(batch.moves_left) - 1).astype(int)
        assert left.tolist() == list(range(last, last + len(given)))[::-1]


def test_added_endings_do_not_count_as_moves_left(play):
    games, samples = play(["connect4"], 1)
    weight = samples.weight.copy()
    weight[-3:] = 0.0
    played_on = dataclasses.replace(samples, weight=weight)
    really = np.arange(len(samples) - 3)
    batch = draw_batch(games, played_on, really, 0.5, np.random.default_rng(0), auxiliary=HEADS, horizons=(4,))
    left = np.round(np.exp(batch.moves_left) - 1).astype(int)
    assert left.tolist() == list(range(len(really), 0, -1))


def test_a_game_that_was_cut_off_at_its_length_cap_has_no_final_maps(play):
    games, samples = play(["connect4"], 1)
    first = np.arange(len(samples) - 1)
    assert len(first) > 2
    pairs = samples.policy_start[len(first)]
    cut = dataclasses.replace(
        samples,
        **{
            field.name: getattr(samples, field.name)[first]
            for field in dataclasses.fields(samples)
            if not field.name.startswith("policy")
        },
        policy_start=samples.policy_start[: len(first) + 1],
        policy_action=samples.policy_action[:pairs],
        policy_weight=samples.policy_weight[:pairs],
    )
    batch = draw_batch(games, cut, first, 0.5, np.random.default_rng(0), auxiliary=HEADS, horizons=(4,))
    assert not batch.maps_known.any()
    assert not batch.maps.any()
