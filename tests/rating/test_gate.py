"""A sequential gate passes better networks and refuses others; an impassable gate is refused."""

import numpy as np
import pytest

from ludus.rating import GateSettings
from ludus.rating.gate import GateTest
from ludus.rating.sprt import MOST_PAIRS, score_of

WAVE = 20  # pairs between two checks
RUNS = 100


def passes(gate, elo, draws, rng):
    """Return whether a network that is `elo` better passes, with independent games."""
    share = score_of(elo)
    chances = [1.0 - share - draws / 2, draws, share - draws / 2]
    counts = np.zeros(5, int)
    while True:
        wave = min(WAVE, gate.most_pairs - int(counts.sum()))
        counts += np.bincount(rng.choice(3, size=(wave, 2), p=chances).sum(axis=1), minlength=5)
        verdict = gate.passes(counts.tolist(), is_last=bool(counts.sum() == gate.most_pairs))
        if verdict is not None:
            return verdict


@pytest.mark.parametrize("draws", [0.0, 0.4])
def test_a_better_network_passes_and_one_that_is_alike_hardly_ever(draws):
    gate, rng = GateSettings(kind="sprt"), np.random.default_rng(7)
    better, alike, worse = (sum(passes(gate, elo, draws, rng) for _ in range(RUNS)) for elo in (70.0, 0.0, -70.0))
    assert better > 0.9 * RUNS
    assert alike < 0.12 * RUNS, "5 % are expected, and three standard errors of 100 runs are 7 %"
    assert worse == 0


def test_the_fewest_pairs_are_those_of_a_network_that_wins_every_game():
    gate = GateSettings(kind="sprt")
    fewest = gate.sprt.fewest_pairs
    assert fewest == 31, "2.94 / log(0.55 / 0.5)"
    assert gate.passes([0, 0, 0, 0, fewest], is_last=False) is True
    assert gate.passes([0, 0, 0, 0, fewest - 1], is_last=False) is None


@pytest.mark.parametrize("test", [GateTest(), GateTest(elo1=10.0), GateTest(elo0=-20.0, elo1=120.0, alpha=0.01)])
def test_an_impassable_number_of_pairs_is_refused(test):
    fewest = test.fewest_pairs
    with pytest.raises(ValueError, match=f"most_pairs = {fewest - 1} is too few.* needs {fewest} pairs"):
        GateSettings(kind="sprt", sprt=test, most_pairs=fewest - 1)
    assert GateSettings(kind="sprt", sprt=test, most_pairs=fewest).passes([0, 0, 0, 0, fewest], is_last=True)
    assert GateSettings(kind="score", sprt=test, most_pairs=fewest - 1), "the kind `score` ignores most_pairs"


@pytest.mark.parametrize("most_pairs", [0, -1, MOST_PAIRS + 1])
def test_a_cap_that_no_match_can_have_is_refused(most_pairs):
    with pytest.raises(ValueError, match=f"^most_pairs must be between 1 and 1000000, and is {most_pairs}$"):
        GateSettings(most_pairs=most_pairs)
