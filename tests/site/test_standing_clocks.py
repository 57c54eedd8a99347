"""Clocks stand while the site is away: nobody loses time over what cannot be seen yet."""

from ludus.site.requests import Timing


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
