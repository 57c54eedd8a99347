"""The site's benchmark runs with small settings, and its figures are correct."""

import socket
import sys

import pytest

from ludus.bot.config import parse_bots


@pytest.fixture
def bench(load_program):
    return load_program("bench/site.py")


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


def test_the_bot_is_of_this_python_where_its_command_is_ludus(bench):
    for engine, command in (
        ("ludus engine bgs --visits 8", [sys.executable, "-m", "ludus", "engine", "bgs", "--visits", "8"]),
        ("other 'a b'", ["other", "a b"]),
    ):
        file = parse_bots(bench.bots_file(engine).encode(), "bots.toml", toml=True)
        assert list(file.command_of(file.bots[0])) == command


def test_another_site_on_the_port_is_not_measured(bench, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setattr(sys, "argv", ["site.py", "--port", str(port)])
        with pytest.raises(SystemExit, match=f"Port {port} is in use"):
            bench.main()
