"""Clocks stand while the site is away, and while its database is: nobody loses time over what cannot be seen yet."""

import asyncio

import pytest

from ludus.site.requests import Timing

HALF_A_MINUTE = Timing(initial_seconds=30, increment_seconds=0)


@pytest.fixture
def stalled(monkeypatch):
    """Return a function that makes a scene's database take so many seconds of its clock over the next change."""

    def stall(scene, seconds):
        save = scene.store.save

        async def slowly(*what):
            monkeypatch.setattr(scene.store, "save", save)
            scene.ms += 1000 * seconds
            await save(*what)

        monkeypatch.setattr(scene.store, "save", slowly)

    return stall


def test_a_site_that_starts_twice_in_a_row_takes_nobodys_time(with_hall):
    kept = {}

    async def before(scene):
        host, _ = await scene.of_two(timing=Timing(initial_seconds=180, increment_seconds=0))
        await host.game.do(lambda table, now: table.act(0, 3, 0, now))
        scene.ms += 5_000
        kept["id"] = host.game.id

    async def between(scene):
        scene.ms += 1_000

    async def after(scene):
        assert scene.hall.games[kept["id"]].table.clock.left_at(scene.ms) == (180_000, 175_000)

    with_hall(before, between, after)


def test_a_clock_runs_from_when_its_player_sees_the_move(with_hall, stalled):
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
        assert scene.hall.games[kept["id"]].table.clock.left_at(scene.ms) == (30_000, 29_000)

    with_hall(scenario, after)


def test_a_move_that_waits_behind_a_slow_change_costs_the_other_side_nothing(with_hall, stalled):
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


def test_the_clock_of_who_has_made_half_a_move_stands_while_the_database_is_away(with_hall, stalled):
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


def test_who_asks_for_much_gains_no_time_from_a_database_that_works(with_hall, stalled):
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
