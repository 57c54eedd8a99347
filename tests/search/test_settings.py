"""Settings reach the compiled search as numbers of one type, and what no search can work with is refused by name."""

import msgspec
import numpy as np
import pytest

from ludus.search.select import exploration, inverse
from ludus.search.settings import SearchSettings


@pytest.mark.parametrize(
    ("key", "values"),
    [
        ("cpuct", [-1.0, float("nan"), float("inf")]),
        ("cpuct_base", [-1.0, float("nan")]),
        ("fpu_reduction", [float("inf"), float("nan")]),
        ("policy_temperature", [0.0, -1.0, float("inf"), float("nan")]),
        ("leaves", [0]),
        ("cache_entries", [-1]),
        ("noise_share", [-0.1, 2.0]),
        ("noise_alpha", [0.0]),
        ("noise_shaped", [-0.1, 1.1]),
        ("root_temperature", [0.0, -1.0, 0.09, float("inf")]),
        ("forced_playouts", [-1.0, float("nan")]),
        ("gumbel_actions", [-1]),
        ("gumbel_visits", [-1.0, float("nan")]),
        ("gumbel_scale", [0.0, -1.0]),
        ("choice", ["bounds"]),
    ],
)
def test_a_setting_that_cannot_work_is_named(key, values):
    for value in values:
        with pytest.raises(msgspec.ValidationError, match=key):
            msgspec.convert({key: value}, SearchSettings)


def test_every_setting_of_the_formula_reaches_the_compiled_search():
    numbers = {
        "fpu_reduction": 0,
        "noise_share": 1,
        "noise_alpha": 2,
        "noise_shaped": 1,
        "root_temperature": 3,
        "forced_playouts": 4,
        "gumbel_actions": 5,
        "gumbel_visits": 6,
        "gumbel_scale": 7,
    }
    knobs = SearchSettings(choice="bound", **numbers).knobs(5000)
    assert {name: getattr(knobs, name) for name in numbers} == numbers
    assert [SearchSettings(choice=choice).knobs(5000).by_bound for choice in ("visits", "bound")] == [0, 1]
    assert SearchSettings().knobs(5000).by_bound == 1
    assert [SearchSettings(proofs=carried).knobs(10).proofs for carried in (False, True)] == [0, 1]
    told = [(True, True), (True, False), (False, True)]
    assert [SearchSettings(proofs=p, foresight=f).knobs(10).foresight for p, f in told] == [1, 0, 0]
    counts = {"by_bound", "foresight", "gumbel_actions", "proofs", "symmetries"}
    assert [SearchSettings(root_symmetries=4).knobs(10, have).symmetries for have in (1, 2, 8)] == [1, 2, 4]
    scalars = [name for name in knobs._fields if name not in ("exploration", "inverse")]
    assert {name: type(getattr(knobs, name)) for name in scalars} == {
        name: int if name in counts else float for name in scalars
    }, "one compiled search, not two"


@pytest.mark.parametrize("base", [0.0, 100.0, 19652.0])
def test_the_weight_of_priors_is_the_published_one(base):
    knobs = SearchSettings(cpuct=1.5, cpuct_base=base).knobs(5000)
    for visits in (0, 1, 2, 100, 5000):
        rate = 1.5 + (np.log((visits + base + 1) / base) if base else 0.0)
        assert exploration(visits, knobs) == pytest.approx(rate * np.sqrt(visits))


def test_an_inverse_is_exact_up_to_the_most_visits():
    knobs = SearchSettings(leaves=8).knobs(5000)
    assert inverse(0, knobs) == 1.0
    for visits in (1, 3, 4999, 5000 + 8 + 1):  # those in flight, and the next one
        assert inverse(visits, knobs) == 1.0 / visits
