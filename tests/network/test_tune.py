"""Tuning chooses the setup with the fewest positions in flight among the fastest, on machines given by a formula."""

import pytest

from ludus.errors import Unavailable
from ludus.network.config import NetworkSettings, Shapes
from ludus.network.measure import EvaluatorSetup, Speed, Trial
from ludus.network.tune import TIE, choose, explore, tune


def trial(rate, *, batch=64, lanes=1, workers=1):
    return Trial(EvaluatorSetup("openvino", batch, lanes, workers), Speed(rate, rate, rate, 1.0))


def test_the_fewest_positions_in_flight_win_a_tie():
    trials = [trial(1000, batch=256), trial(980, batch=64), trial(960, batch=16), trial(990, batch=64, lanes=2)]
    assert choose(trials) is trials[1]
    assert choose(trials[::-1]) is trials[1]


def test_a_clearly_faster_arrangement_wins_whatever_it_takes():
    trials = [trial(1000, batch=256, lanes=3), trial(1000 * TIE - 1)]
    assert choose(trials) is trials[0]


def processor(arrangement):
    """Model a CPU: two cores with 1000 positions/s each, torch at half of that; batch and lanes have no effect."""
    rate = 1000 * min(2, arrangement.workers) * (1 if arrangement.backend == "openvino" else 0.5)
    return Speed(rate, rate, rate, 1.0)


def gpu(arrangement):
    """Model a GPU: saturated by 2000 positions in flight, for which one lane of 16 workers needs batches of 128."""
    if arrangement.backend != "cuda":
        return Speed(50.0, 50.0, 50.0, 1.0)
    overlap = 0.8 if arrangement.lanes * arrangement.workers == 1 else 1.0
    rate = 400_000 * overlap * min(1.0, arrangement.batch / 512)
    return Speed(rate, rate, rate, 1.0)


def test_a_processor_is_given_a_worker_for_each_core_and_small_batches():
    heard = []
    found = explore(["openvino", "torch"], 2, processor, heard.append)
    assert found.best.arrangement == EvaluatorSetup("openvino", 16, 1, 2)
    assert list(found.trials) == heard
    assert len({each.arrangement for each in heard}) == len(heard), "nothing is measured twice"


def test_a_gpu_is_given_large_batches_and_only_as_many_lanes_as_it_needs():
    found = explore(["cuda", "openvino", "torch"], 16, gpu)
    assert found.best.arrangement == EvaluatorSetup("cuda", 512, 2, 1)
    assert {each.arrangement.backend for each in found.trials[3:]} == {"cuda"}


def test_what_does_not_fit_into_the_memory_is_left_out():
    def small(arrangement):
        if arrangement.in_flight > 1024:
            raise MemoryError
        return gpu(arrangement)

    found = explore(["cuda", "openvino"], 2, small)
    assert found.best.arrangement.in_flight <= 1024
    assert found.best.arrangement.backend == "cuda"
    with pytest.raises(Unavailable, match="No setup fits into the memory"):
        explore(["cuda"], 2, lambda _arrangement: (_ for _ in ()).throw(MemoryError()))
    with pytest.raises(RuntimeError, match="broken"):
        explore(["cuda"], 2, lambda _arrangement: (_ for _ in ()).throw(RuntimeError("broken")))


def test_this_machine_can_be_tuned():
    network, shapes = NetworkSettings(blocks=1, channels=4, head_channels=2), Shapes((2, 3, 3), (1.0, 1.0), 9)
    from ludus.network.model import draw_arrays

    found = tune(draw_arrays(network, shapes, 0), network, shapes, seconds=0.01, runs=1)
    assert found.best in found.trials
    assert found.best.speed.median > 100


@pytest.mark.parametrize("cores", [1, 2, 3, 96])
def test_any_number_of_cores_is_explored(cores):
    found = explore(["openvino"], cores, lambda _arrangement: Speed(1.0, 1.0, 1.0, 1.0))
    assert max(each.arrangement.workers for each in found.trials) == cores
    assert min(each.arrangement.workers for each in found.trials) == 1
