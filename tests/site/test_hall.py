"""The hall's memory is bounded: games whose time is over are dropped."""

import asyncio

from ludus.protocol.bgs import Attach, BoardSize, BotConfig, ClientInfo, Extent, ServerInfo, VariantSupport
from ludus.site.bots import BotLink, Bots
from ludus.site.hall import Hall
from ludus.site.messages import NewGame
from ludus.site.settings import SiteSettings


def with_hall(scenario, **settings):
    async def run():
        chosen = SiteSettings(**settings)
        bots = Bots(chosen, ServerInfo("ludus", "0"))
        rack = VariantSupport(Extent(7, 7), Extent(6, 6), [BoardSize(7, 6)])
        bot = BotConfig("b", "B", None, {"standard": rack}, game="connect4")
        bots.register(BotLink(bots), Attach(3, "c", [bot], ClientInfo("t", "1")))
        clock = [0.0]
        hall = Hall(bots, chosen, lambda: clock[0])
        await scenario(hall, clock)
        await hall.close()

    asyncio.run(run())


def opened(hall):
    seat = hall.open(NewGame(spec="connect4", bot="c:b", side=0))
    return hall.find(seat.id)


def test_a_finished_game_can_be_looked_at_for_a_while():
    async def scenario(hall, clock):
        game = opened(hall)
        game.table.resign(0)
        game.changed()
        clock[0] = 900.0
        hall.sweep()
        assert game.id in hall.games
        clock[0] = 901.0
        hall.sweep()
        assert not hall.games

    with_hall(scenario, finished_kept_s=900)


def test_a_game_that_nobody_opens_is_dropped_soon_and_a_visited_one_later():
    async def scenario(hall, clock):
        unvisited, visited = opened(hall), opened(hall)
        _, watcher = hall.watch(visited.id, None)
        clock[0] = 1801.0
        hall.sweep()
        assert list(hall.games) == [visited.id]
        visited.watchers.discard(watcher)
        hall.sweep()
        assert not hall.games
        assert unvisited.table.result.reason == "abandoned"

    with_hall(scenario, unvisited_kept_s=60, idle_kept_s=1800)


def test_there_are_never_more_finished_games_than_tables():
    async def scenario(hall, clock):
        for second in range(6):
            clock[0] = float(second)
            game = opened(hall)
            game.table.resign(0)
            game.changed()
        hall.sweep()
        assert len(hall.games) == 3
        assert game.id in hall.games

    with_hall(scenario, max_games=3)


def test_closing_the_hall_ends_every_game_at_once():
    async def scenario(hall, _clock):
        games = [opened(hall) for _ in range(3)]
        await hall.close()
        assert all(game.task.done() for game in games)

    with_hall(scenario)
