"""The bench of the site runs, in small, and its figures are what they say."""

import importlib.util
from pathlib import Path

import pytest

FILE = Path(__file__).parents[2] / "bench/site.py"


@pytest.fixture
def bench():
    spec = importlib.util.spec_from_file_location("bench_site", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_small_load_is_carried(at_site, scripted_bot, bench):
    async def scenario(address, site):
        async with scripted_bot(address):
            load = {"games": 3, "spectators": 6, "seconds": 2.0, "pause_s": 0.05}
            figures = await bench.measure(address, bot="c1:b", **load)
        assert figures["failed"] == []
        assert figures["errors"] == 0
        assert figures["moves_per_s"] > 0
        assert figures["seen_ms"]["p50"] <= figures["seen_ms"]["p99"]
        assert figures["site_mib"] > 0
        assert site.services.metrics.text().count(b"ludus_move_seconds_count 0.0") == 0

    at_site(scenario)


def test_figures_of_too_little_are_left_out(bench):
    assert bench.quantiles([0.1]) is None
    assert bench.quantiles([0.001] * 100) == {"p50": 1.0, "p95": 1.0, "p99": 1.0}
