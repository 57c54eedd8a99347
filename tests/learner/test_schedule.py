"""Learning rates follow their schedules."""

import pytest

from ludus.learner.schedule import Plateau, learning_rate, momentum
from ludus.learner.settings import LearnerSettings


def rates(total=100, progress=0.0, drops=0, **settings):
    chosen = LearnerSettings(**{"learning_rate": 1.0, "final_learning_rate": 0.1, "warm_up": 0} | settings)
    return [learning_rate(chosen, progress=progress, step=step, total=total, drops=drops) for step in range(total)]


def test_a_constant_rate_stays():
    assert rates(schedule="constant", progress=0.7) == [1.0] * 100


@pytest.mark.parametrize(("progress", "rate"), [(0.0, 1.0), (0.5, 0.55), (1.0, 0.1), (2.0, 0.1), (1 / 3, 0.775)])
def test_a_cosine_falls_over_the_run(progress, rate):
    assert rates(schedule="cosine", progress=progress) == pytest.approx([rate] * 100)


def test_a_generation_begins_with_a_warm_up():
    assert rates(schedule="constant", warm_up=4)[:6] == [0.25, 0.5, 0.75, 1.0, 1.0, 1.0]


def test_one_cycle_rises_and_falls():
    found = rates(schedule="one-cycle", total=101, warm_up=50)
    assert found[0] == pytest.approx(1 / 25)
    assert max(found) == found[30] == pytest.approx(1.0)
    assert found[15] == pytest.approx((1 + 1 / 25) / 2), "halfway up, a cosine has half its height"
    assert found[65] == pytest.approx((1 + 1e-5) / 2)
    assert found[100] == pytest.approx(1e-5)
    assert found[:31] == sorted(found[:31])
    assert found[30:] == sorted(found[30:], reverse=True)


def test_momentum_falls_while_the_rate_of_a_cycle_rises():
    settings = LearnerSettings(schedule="one-cycle")
    found = [momentum(settings, step=step, total=101) for step in range(101)]
    assert (found[0], found[30], found[100]) == pytest.approx((0.95, 0.85, 0.95))
    assert momentum(LearnerSettings(momentum=0.7), step=3, total=9) == 0.7


def test_a_cycle_of_one_step_is_possible():
    assert rates(schedule="one-cycle", total=1) == pytest.approx([1 / 25])


@pytest.mark.parametrize(("drops", "rate"), [(0, 1.0), (1, 0.5), (2, 0.25), (3, 0.125), (4, 0.1), (50, 0.1)])
def test_a_plateau_drops_the_rate_down_to_the_lowest(drops, rate):
    assert rates(schedule="plateau", plateau_factor=0.5, drops=drops, total=1) == [rate]


def test_a_plateau_is_a_number_of_generations_without_a_lower_loss():
    plateau, drops = Plateau(), []
    for loss in [3.0, 2.0, 2.0, 1.9999, 1.5, 1.6, 1.5, 1.55, 1.7, 1.5]:
        plateau.see(loss, patience=2)
        drops.append(plateau.drops)
    assert drops == [0, 0, 0, 1, 1, 1, 2, 2, 3, 3]
    assert plateau.best == 1.5


def test_losses_that_were_low_once_do_not_drop_the_rate_for_ever():
    plateau = Plateau()
    for loss in [1.0, 2.0, 1.9, 1.8, 1.7, 1.6, 1.5]:
        plateau.see(loss, patience=2)
    assert plateau.drops == 1, "the rate drops once, and then the loss falls again"
