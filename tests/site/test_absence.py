"""Absence: that of the site is nobody's, and who opens a game and never comes takes no table for long."""

import asyncio
from types import SimpleNamespace

import pytest

from ludus.errors import Unavailable
from ludus.site.keeping import moment
from ludus.site.people.visitors import Visitor
from ludus.site.places import Places
from ludus.site.requests import GameConfig, OpenGame, Timing
from ludus.site.settings import SiteSettings

DAY_S = 86_400
RACK = GameConfig(game="connect4", board_width=7, board_height=6)


async def moved(placed, actions):
    for ply in range(actions):
        await placed.game.do(lambda table, now, ply=ply: table.act(ply % 2, ply, ply, now))


def test_the_time_in_which_the_site_is_off_is_nobodys_absence(with_hall):
    kept = {}

    async def before(scene):
        scene.ms -= 30 * 1000 * DAY_S
        (left, _), (here, _) = await scene.of_two(), await scene.of_two()
        for host in (left, here):
            await moved(host, 2)
        await scene.visit(here.game, here.token)
        await scene.later(3 * DAY_S)
        await scene.store.beat(moment(scene.ms))
        kept.update(left=left.game.id, here=here.game.id)

    async def after(scene):  # four weeks later
        async def over():
            return [(await scene.hall.find(kept[name])).table.over for name in ("left", "here")]

        await scene.later(10)
        assert await over() == [False, False]
        await scene.later(4 * DAY_S)
        assert await over() == [True, False], "a week in all, in which it could have come back"
        await scene.later(3 * DAY_S)
        assert await over() == [True, True]

    with_hall(before, after)


def test_a_machine_whose_clock_was_set_back_makes_no_absence_shorter(with_hall):
    kept = {}

    async def before(scene):
        scene.ms += 3600 * 1000
        host, _ = await scene.of_two()
        await moved(host, 2)
        await scene.store.beat(moment(scene.ms))
        kept["id"] = host.game.id

    async def after(scene):
        row = await scene.store.load(kept["id"])
        assert row.left_at == moment(1_000_000 + 3600 * 1000)
        assert kept["id"] in scene.hall.games

    with_hall(before, after)


def test_a_game_for_a_friend_that_nobody_ever_opened_is_called_off(with_hall):
    async def scenario(scene):
        ann = Visitor("Ann", None, None, needs_cookie=False, address="192.0.2.1")
        never, once = [
            await scene.reception.open_game(OpenGame(config=RACK, match_type="friend", host_is_first=True), ann)
            for _ in range(2)
        ]
        once.game.go(await scene.visit(once.game, once.token))
        await scene.later(61)
        assert (never.game.table.over, once.game.table.over) == (True, False)
        await scene.later(DAY_S)
        assert once.game.table.over

    with_hall(scenario)


def test_a_clock_that_goes_on_without_its_player_is_told_to_who_is_there(with_hall):
    kept = {}

    async def before(scene):
        host, _ = await scene.of_two(timing=Timing(initial_seconds=180, increment_seconds=0))
        await host.game.do(lambda table, now: table.act(0, 3, 0, now))
        kept["host"] = host

    async def after(scene):
        game = scene.hall.games[kept["host"].game.id]
        await scene.visit(game, kept["host"].token)
        told = []
        game.listeners.append(lambda _game, event: told.append(event))
        scene.ms += 100
        await asyncio.sleep(0.5)
        assert [type(event).__name__ for event in told] == ["Seated"]

    with_hall(before, after, return_grace_s=0.1)


@pytest.mark.parametrize(("kinds", "taken"), [(("person", "bot"), 1), (("bot", "bot"), 2), (("person", "person"), 1)])
def test_a_match_of_bots_takes_as_many_tables_as_sessions(kinds, taken):
    table, seats = SimpleNamespace(over=False), [SimpleNamespace(kind=kind) for kind in kinds]
    games = {"g": SimpleNamespace(table=table, seats=seats, opener="")}
    for most in (taken, taken + 1):
        places = Places(games, SiteSettings(max_games=most), lambda: 0)
        if most == taken:
            with pytest.raises(Unavailable, match=f"All {most} tables are taken"), places.taken("192.0.2.1"):
                pass
        else:
            with places.taken("192.0.2.1"):
                pass


def test_nobody_takes_the_name_of_the_sites_own_client_before_it_attaches(at_site, scripted_bot, a_bot):
    async def scenario(address, _site):
        async with scripted_bot(address, "ludus") as stranger:
            assert stranger.verdict["code"] == "INVALID_OFFICIAL_TOKEN"
        async with scripted_bot(address, "ludus", bots=[a_bot(officialToken="s3cret")]) as own:
            assert own.verdict["type"] == "attached"

    at_site(scenario, official_token="s3cret", official_clients=("ludus",))
