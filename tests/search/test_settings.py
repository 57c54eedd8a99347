"""Settings reach the compiled search as numbers of one type, and invalid ones are rejected by name."""

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
    parameters = SearchSettings(choice="bound", **numbers).parameters(5000)
    assert {name: getattr(parameters, name) for name in numbers} == numbers
    assert [SearchSettings(choice=choice).parameters(5000).by_bound for choice in ("visits", "bound")] == [False, True]
    assert SearchSettings().parameters(5000).by_bound
    assert [SearchSettings(proofs=carried).parameters(10).proofs for carried in (False, True)] == [False, True]
    told = [(True, True), (True, False), (False, True)]
    assert [SearchSettings(proofs=p, foresight=f).parameters(10).foresight for p, f in told] == [True, False, False]
    assert [SearchSettings(root_symmetries=4).parameters(10, have).root_symmetries for have in (1, 2, 8)] == [1, 2, 4]


@pytest.mark.parametrize("base", [0.0, 100.0, 19652.0])
def test_the_weight_of_priors_is_the_published_one(base):
    parameters = SearchSettings(cpuct=1.5, cpuct_base=base).parameters(5000)
    for visits in (0, 1, 2, 100, 5000):
        rate = 1.5 + (np.log((visits + base + 1) / base) if base else 0.0)
        assert exploration(visits, parameters) == pytest.approx(rate * np.sqrt(visits))


def test_an_inverse_is_exact_up_to_the_most_visits():
    parameters = SearchSettings(leaves=8).parameters(5000)
    assert inverse(0, parameters) == 1.0
    for visits in (1, 3, 4999, 5000 + 8 + 1):  # those in flight, and the next one
        assert inverse(visits, parameters) == 1.0 / visits
