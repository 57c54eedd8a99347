"""How busy the engines of a bot client are."""

import pytest

from ludus.site.bots.load import Load


@pytest.fixture
def loaded():
    clock = [0.0]
    return Load(lambda: clock[0]), clock


def test_the_share_counts_the_time_in_which_any_question_is_open(loaded):
    load, clock = loaded
    load.asked()
    clock[0] = 10.0
    load.asked()
    clock[0] = 20.0
    load.ended(20.0)
    load.ended(None)
    clock[0] = 40.0
    assert load.share == pytest.approx(0.5)
    assert (load.num_open, load.answer_ms) == (0, 20_000)


def test_only_the_last_minute_counts(loaded):
    load, clock = loaded
    load.asked()
    for second in range(30):
        clock[0] = float(second)
        assert 0 <= load.share <= 1
    load.ended(1.0)
    clock[0] = 200.0
    assert load.share == pytest.approx(0.0, abs=0.02)
    assert load.answer_ms is None
    load.asked()
    clock[0] = 230.0
    assert load.share == pytest.approx(0.5, abs=0.02)
