"""Loading games from the database: a few at a time, each only once for concurrent requests, and fair by address."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

from ludus.errors import Unavailable
from ludus.site.live import live_games as live_games
from ludus.site.live.game import LiveGame
from ludus.site.safety.fair_queue import AT_ONCE
from ludus.site.table.rows import table_of


def test_slow_loads_do_not_delay_the_opening_of_a_new_game(with_hall, monkeypatch):
    done, queued, begun = threading.Event(), [], []

    def slowly(row, *more):
        begun.append(row.id)
        assert done.wait(300)
        return table_of(row, *more)

    async def scenario(scene):
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(AT_ONCE + 1))
        kept = [(await scene.of_two())[0].game for _ in range(5)]
        for game in kept:
            await scene.live_games.evict(game)
        load = scene.store.load

        async def told(game_id):
            row = await load(game_id)
            queued.append(game_id)  # nothing is awaited between the row and the queue
            return row

        monkeypatch.setattr(scene.store, "load", told)
        monkeypatch.setattr(live_games, "table_of", slowly)
        *many, other = [
            asyncio.create_task(scene.live_games.find(game.id, f"192.0.2.{1 + (game is kept[-1])}")) for game in kept
        ]
        while len(queued) < len(kept) or len(begun) < AT_ONCE:  # the database may respond in another order
            await asyncio.sleep(0.01)
        try:
            async with asyncio.timeout(120):
                await scene.waiting()
        finally:
            done.set()
        assert [(await task).id for task in [*many, other]] == [game.id for game in kept]
        assert begun.index(kept[-1].id) <= AT_ONCE + 1, "addresses take turns"

    with_hall(scenario)


def test_slow_openings_delay_neither_loads_nor_other_threads(with_hall, monkeypatch):
    done, begun = threading.Event(), []
    prepared = live_games._prepared

    def slowly(*what):
        begun.append(what)
        assert done.wait(300)
        return prepared(*what)

    async def scenario(scene):
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(AT_ONCE))
        kept = (await scene.of_two())[0].game
        await scene.live_games.evict(kept)
        monkeypatch.setattr(live_games, "_prepared", slowly)
        many = [asyncio.create_task(scene.waiting()) for _ in range(5)]
        while len(begun) < AT_ONCE:
            await asyncio.sleep(0.01)
        monkeypatch.setattr(live_games, "_prepared", prepared)
        try:
            async with asyncio.timeout(120):
                assert await asyncio.to_thread(sum, [1, 2]) == 3, "such as hashing a password"
            async with asyncio.timeout(120):
                assert await scene.live_games.find(kept.id)
        finally:
            done.set()
        await asyncio.gather(*many)

    with_hall(scenario)


def test_concurrent_requests_load_a_game_once_also_after_a_failed_load(with_hall, monkeypatch):
    async def scenario(scene):
        game = (await scene.of_two())[0].game
        await scene.live_games.evict(game)
        load, gates = scene.store.load, [asyncio.Event() for _ in range(3)]
        numbers = iter(range(3))

        async def refusing_at_first(game_id):
            number = next(numbers)
            await gates[number].wait()
            if number == 0:
                raise Unavailable("The database is busy.")
            return await load(game_id)

        monkeypatch.setattr(scene.store, "load", refusing_at_first)
        asked = [asyncio.create_task(scene.live_games.find(game.id)) for _ in range(2)]
        await asyncio.sleep(0)
        gates[0].set()
        await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
        asked.append(asyncio.create_task(scene.live_games.find(game.id)))
        await asyncio.sleep(0)
        for gate in gates:
            gate.set()
        found = [each for each in await asyncio.gather(*asked, return_exceptions=True) if isinstance(each, LiveGame)]
        assert {id(each) for each in found} == {id(scene.live_games.games[game.id])}

    with_hall(scenario)
