"""Abandoned games: absent players lose after a week without the site's downtime, and unvisited games are aborted."""

import pytest

from ludus.errors import Unavailable
from ludus.site.messages.requests import Timing
from ludus.site.people.visitors import Visitor
from ludus.site.table.rows import moment

DAY_S = 86_400


async def moved(host, times):
    """Play this many moves in a new game, each side in a column of its own."""
    for ply in range(times):
        await host.game.do(lambda table, now, ply=ply: table.act(ply % 2, ply % 2, ply, now))


def result_of(game):
    return game.table.result and (game.table.result.winner, game.table.result.reason)


@pytest.mark.parametrize(
    ("moves", "wanted"), [(0, (None, "aborted")), (1, (None, "aborted")), (2, (1, "abandoned")), (3, (0, "abandoned"))]
)
def test_an_abandoned_untimed_game_is_aborted_or_lost_by_the_side_to_move(with_hall, moves, wanted):
    async def scenario(scene):
        host, guest = await scene.of_two()
        await moved(host, moves)
        watchers = [await scene.visit(host.game, placed.token) for placed in (host, guest)]
        spectator = await scene.visit(host.game)
        await scene.later(8 * DAY_S)
        assert result_of(host.game) is None, "both are connected"
        host.game.go(watchers[0])
        await scene.later(8 * DAY_S)
        assert result_of(host.game) is None, "one is connected"
        host.game.go(watchers[1])
        await scene.later(7 * DAY_S)
        assert result_of(host.game) is None, "a week has not passed yet"
        await scene.later(1)
        assert result_of(host.game) == wanted
        assert spectator in host.game.presence.watchers

    with_hall(scenario)


def test_an_evicted_game_ends_when_its_players_stay_away(with_hall):
    async def scenario(scene):
        (alone, _), (visited, _) = await scene.of_two(), await scene.of_two()
        for host in (alone, visited):
            await moved(host, 2)
        await scene.later(DAY_S)
        assert not scene.live_games.games
        again = await scene.live_games.find(visited.game.id)
        again.go(await scene.visit(again, visited.token))
        await scene.later(6 * DAY_S + 1)
        ended = {
            game_id: (await scene.live_games.find(game_id)).table.over for game_id in (alone.game.id, visited.game.id)
        }
        assert ended == {alone.game.id: True, visited.game.id: False}

    with_hall(scenario)


def test_a_person_who_abandons_a_game_against_a_bot_loses(with_hall):
    async def scenario(scene):
        game = await scene.against_bot()
        for side, column, ply in ((0, 0, 0), (1, 1, 1), (0, 0, 2)):
            await game.do(lambda table, now, side=side, column=column, ply=ply: table.act(side, column, ply, now))
        assert game.table.to_play == 1
        await scene.later(7 * DAY_S + 1)
        assert result_of(await scene.live_games.find(game.id)) == (1, "abandoned")

    with_hall(scenario)


def test_an_abandoned_timed_game_is_aborted_before_its_clock_runs_and_ends_by_timeout_afterwards(with_hall):
    async def scenario(scene):
        timing = Timing(initial_seconds=3600, increment_seconds=0)
        (begun, _), (not_begun, _) = await scene.of_two(timing=timing), await scene.of_two(timing=timing)
        await moved(begun, 1)
        await scene.later(8 * DAY_S)
        assert result_of(await scene.live_games.find(not_begun.game.id)) == (None, "aborted")
        assert begun.game.id in scene.live_games.games
        await begun.game.do(lambda table, _now: table)
        assert result_of(begun.game) == (0, "timeout")

    with_hall(scenario)


def test_the_time_since_players_left_survives_a_restart(with_hall):
    kept = {}

    async def before(scene):
        (left, _), (here, _) = await scene.of_two(), await scene.of_two()
        for host in (left, here):
            await moved(host, 2)
        watcher = await scene.visit(here.game, here.token)
        await scene.later(6 * DAY_S)
        assert not left.game.table.over
        kept.update(left=left.game.id, here=here.game.id, ms=scene.ms, watcher=watcher)

    async def after(scene):
        scene.ms = kept["ms"] + 60_000
        await scene.later(DAY_S)
        over = {name: (await scene.live_games.find(kept[name])).table.over for name in ("left", "here")}
        assert over == {"left": True, "here": False}
        await scene.later(6 * DAY_S)
        assert result_of(await scene.live_games.find(kept["here"])) == (1, "abandoned")

    with_hall(before, after)


def test_games_whose_players_left_long_ago_are_not_restored_at_startup(with_hall):
    kept = {}

    async def before(scene):
        host, _ = await scene.of_two()
        await scene.later(3600)
        fresh, _ = await scene.of_two()
        await scene.store.beat(moment(scene.ms))
        kept.update(old=host.game.id, fresh=fresh.game.id)

    async def after(scene):
        assert list(scene.live_games.games) == [kept["fresh"]]
        assert not (await scene.live_games.find(kept["old"])).table.over

    with_hall(before, after)


def test_an_abandoned_game_that_cannot_be_read_is_ended_by_a_later_sweep(with_hall, monkeypatch):
    async def scenario(scene):
        host, _ = await scene.of_two()
        await moved(host, 2)
        await scene.later(DAY_S)
        load = scene.store.load

        async def refuse(_game_id):
            raise Unavailable("The database cannot be read.")

        monkeypatch.setattr(scene.store, "load", refuse)
        with pytest.raises(Unavailable):
            await scene.later(7 * DAY_S)
        monkeypatch.setattr(scene.store, "load", load)
        await scene.later(10)
        assert result_of(await scene.live_games.find(host.game.id)) == (1, "abandoned")

    with_hall(scenario)


def test_the_downtime_of_the_site_does_not_count_as_absence(with_hall):
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
            return [(await scene.live_games.find(kept[name])).table.over for name in ("left", "here")]

        await scene.later(10)
        assert await over() == [False, False]
        await scene.later(4 * DAY_S)
        assert await over() == [True, False], "a week in all while the site was running"
        await scene.later(3 * DAY_S)
        assert await over() == [True, True]

    with_hall(before, after)


def test_a_machine_clock_that_was_set_back_does_not_change_when_players_left(with_hall):
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
        assert kept["id"] in scene.live_games.games

    with_hall(before, after)


def test_a_game_for_a_friend_that_nobody_ever_opened_is_aborted(with_hall):
    async def scenario(scene):
        ann = Visitor("Ann", None, None, needs_cookie=False, address="192.0.2.1")
        never, once = await scene.waiting(visitor=ann), await scene.waiting(visitor=ann)
        once.game.go(await scene.visit(once.game, once.token))
        await scene.later(61)
        assert (never.game.table.over, once.game.table.over) == (True, False)
        await scene.later(DAY_S)
        assert once.game.table.over

    with_hall(scenario)
