"""Clocks pause while the site is down and while its database is slow: players lose no time for unseen moves."""

import asyncio
from contextlib import contextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.errors import Unavailable
from ludus.site.database import writer
from ludus.site.live import live_games as live_games
from ludus.site.live.live_games import LiveGames
from ludus.site.messages.requests import Timing
from ludus.site.table.clock import Clock
from ludus.site.table.rows import gone_on, milliseconds, moment, table_of
from ludus.site.table.table import Table

HALF_A_MINUTE = Timing(initial_seconds=30, increment_seconds=0)
MS = st.integers(0, 100_000)


@pytest.fixture
def stalled(monkeypatch):
    """Return `stall(scene, seconds)`: the database takes this long, on the scene's clock, to store the next change."""

    def stall(scene, seconds):
        save = scene.store.save

        async def slowly(*what):
            monkeypatch.setattr(scene.store, "save", save)
            scene.ms += 1000 * seconds
            await save(*what)

        monkeypatch.setattr(scene.store, "save", slowly)

    return stall


@pytest.fixture
def after_a_crash(monkeypatch):
    """Return a function that crashes a scene's site and starts it an hour later; each game takes 40 s to restore."""

    async def crash(scene):
        await scene.store.beat(moment(scene.ms))
        scene.ms += 3_600_000
        again = LiveGames(scene.live_games._bots, scene.live_games._settings, lambda: scene.ms)

        def slowly(*what):
            scene.ms += 40_000
            return table_of(*what)

        monkeypatch.setattr(live_games, "table_of", slowly)
        await again.open(scene.store)
        return again

    return crash


async def after_two_moves(scene):
    """Return the host of a game with two moves, in which the guest used 4 s and the host has since used 4 s."""
    host, _ = await scene.of_two(timing=HALF_A_MINUTE)
    await host.game.do(lambda table, now: table.act(0, 3, 0, now))
    scene.ms += 4_000
    await host.game.do(lambda table, now: table.act(1, 3, 1, now))
    scene.ms += 4_000
    return host


@contextmanager
def no_evaluations(scene, error):
    """Make the reading of evaluations fail, the last step of restoring a game."""

    async def fail(_game_id):
        raise error

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scene.store, "evaluations", fail)
        yield


@given(left=st.tuples(MS, MS), side=st.integers(0, 1), since=MS, ran=MS, away=MS, passed=MS)
def test_a_downtime_of_the_site_takes_no_time_from_a_clock(left, side, since, ran, away, passed):
    table = Table(None, clock=Clock(left, side, since))
    seen, back = table.clock.left_at(since + ran), since + ran + away
    clock = gone_on(table, since + ran, back).clock
    assert clock.left_at(since + ran) == clock.left_at(back) == seen
    expected = [*seen]
    expected[side] = max(0, seen[side] - passed)
    assert clock.left_at(back + passed) == tuple(expected)


def test_all_clocks_are_paused_until_the_last_game_is_restored(with_hall, after_a_crash):
    async def scenario(scene):
        hosts = [await after_two_moves(scene) for _ in range(3)]
        shown = [host.game.table.clock.left_at(scene.ms) for host in hosts]
        again = await after_a_crash(scene)
        games = [again.games[host.game.id] for host in hosts]
        assert [game.table.clock.left_at(scene.ms + 30_000) for game in games] == shown
        assert {game.table.clock.since for game in games} == {scene.ms + 30_000}
        assert {game.presence.claimable_at(side) for game in games for side in (0, 1)} == {scene.ms + 60_000}
        await scene.visit(games[1], hosts[1].token)
        scene.ms += 1_000
        assert [game.table.clock.left_at(scene.ms)[0] for game in games] == [10_000, 17_000, 26_000]

    with_hall(scenario)


def test_restored_clocks_are_stored_before_the_next_heartbeat(with_hall, after_a_crash, monkeypatch):
    monkeypatch.setattr(writer, "MAX_TOGETHER", 1)

    async def scenario(scene):
        host = await after_two_moves(scene)
        again = await after_a_crash(scene)
        await again.store.beat(moment(scene.ms))
        progress = (await again.store.load(host.game.id)).progress
        assert (progress.left_0, progress.left_1) == (26_000, 26_000)
        assert milliseconds(progress.since) == scene.ms + 30_000

    with_hall(scenario)


def test_a_crash_during_startup_takes_no_time_from_a_clock(with_hall, after_a_crash):
    async def scenario(scene):
        host = await after_two_moves(scene)
        with no_evaluations(scene, RuntimeError("killed")), pytest.raises(RuntimeError, match="killed"):
            await after_a_crash(scene)
        again = LiveGames(scene.live_games._bots, scene.live_games._settings, lambda: scene.ms)
        await again.open(scene.store)
        assert again.games[host.game.id].table.clock.left_at(scene.ms) == (26_000, 26_000)

    with_hall(scenario)


def test_a_game_that_could_not_be_restored_at_startup_loses_no_time_until_it_is_loaded(with_hall, after_a_crash):
    async def scenario(scene):
        host = await after_two_moves(scene)
        with no_evaluations(scene, Unavailable("The database cannot be read.")):
            again = await after_a_crash(scene)
        assert not again.games
        scene.ms += 3_600_000
        game = await again.find(host.game.id)
        assert game.table.clock.left_at(scene.ms) == (26_000, 26_000)

    with_hall(scenario)


def test_two_restarts_in_a_row_take_no_time_from_a_clock(with_hall):
    kept = {}

    async def before(scene):
        host, _ = await scene.of_two(timing=Timing(initial_seconds=180, increment_seconds=0))
        await host.game.do(lambda table, now: table.act(0, 3, 0, now))
        scene.ms += 5_000
        kept["id"] = host.game.id

    async def between(scene):
        scene.ms += 1_000

    async def after(scene):
        assert scene.live_games.games[kept["id"]].table.clock.left_at(scene.ms) == (180_000, 175_000)

    with_hall(before, between, after)


def test_a_clock_starts_when_the_move_before_is_stored_and_broadcast(with_hall, stalled):
    kept = {}

    async def scenario(scene):
        host, _ = await scene.of_two(timing=HALF_A_MINUTE)
        stalled(scene, 60)
        await host.game.do(lambda table, now: table.act(0, 3, 0, now))
        assert host.game.table.clock.left_at(scene.ms) == (30_000, 30_000)
        await asyncio.sleep(0)
        assert not host.game.table.over
        scene.ms += 1_000
        assert host.game.table.clock.left_at(scene.ms) == (30_000, 29_000)
        kept.update(id=host.game.id, ms=scene.ms)

    async def after(scene):
        scene.ms = kept["ms"]
        assert scene.live_games.games[kept["id"]].table.clock.left_at(scene.ms) == (30_000, 29_000)

    with_hall(scenario, after)


def test_a_move_that_waits_for_a_slow_write_loses_no_time(with_hall, stalled):
    async def scenario(scene):
        host, _ = await scene.of_two(timing=HALF_A_MINUTE)
        game = host.game
        await game.do(lambda table, now: table.act(0, 3, 0, now))
        scene.ms += 4_000
        stalled(scene, 60)
        await asyncio.gather(
            game.do(lambda table, now: table.offer(0, "draw", now)),
            game.do(lambda table, now: table.act(1, 3, 1, now)),
        )
        assert game.table.clock.left_at(scene.ms) == (30_000, 26_000)

    with_hall(scenario)


def test_a_running_clock_pauses_during_a_slow_write(with_hall, stalled):
    async def scenario(scene):
        host, _ = await scene.of_two(timing=HALF_A_MINUTE)
        game = host.game
        await game.do(lambda table, now: table.act(0, 3, 0, now))
        scene.ms += 3_000
        stalled(scene, 60)
        await game.do(lambda table, now: table.offer(1, "draw", now))
        assert game.table.clock.left_at(scene.ms) == (30_000, 27_000)
        scene.ms += 27_000
        await game.do(lambda table, _now: table)
        assert game.table.result.reason == "timeout"

    with_hall(scenario)


def test_many_changes_gain_no_time_while_the_database_is_fast(with_hall, stalled):
    async def scenario(scene):
        host, _ = await scene.of_two(timing=HALF_A_MINUTE)
        game = host.game
        await game.do(lambda table, now: table.act(0, 3, 0, now))
        for _ in range(5):
            scene.ms += 1
            stalled(scene, 1)
            await game.do(lambda table, now: table.offer(1, "draw", now))
            await game.do(lambda table, _now: table.decline("draw"))
        assert game.table.clock.left_at(scene.ms) == (30_000, 24_995)

    with_hall(scenario)
