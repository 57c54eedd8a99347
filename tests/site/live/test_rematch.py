"""Rematches: exactly one is opened, however often players agree or decline meanwhile, or all learn why it failed."""

import asyncio
import contextlib

import pytest

from ludus.errors import BadInput, Unavailable
from ludus.site.live import asking


async def agreed(game):
    """Let one side offer a rematch, the other accept it, and the other then decline."""
    with contextlib.suppress(BadInput):
        await asking.offer(game, 0, "rematch")
    with contextlib.suppress(BadInput):
        await game.do(lambda table, now: table.accept(1, "rematch", now))
    with contextlib.suppress(BadInput):
        await asking.decline(game, 1, "rematch")


async def settled(game):
    while game.writing:
        await asyncio.sleep(0)


def test_one_rematch_is_opened_when_players_agree_again_while_it_is_being_opened(with_hall, monkeypatch):
    async def scenario(scene):
        game = (await scene.of_two())[0].game
        await game.do(lambda table, now: table.resign(0, now))
        add, disk = scene.store.add, asyncio.Event()

        async def slowly(row):
            await disk.wait()
            await add(row)

        monkeypatch.setattr(scene.store, "add", slowly)
        await agreed(game)
        await agreed(game)
        disk.set()
        await settled(game)
        assert {game.id, game.rematch} == set(scene.live_games.games)

    with_hall(scenario)


def test_a_rematch_cannot_be_offered_to_an_open_seat(with_hall):
    async def scenario(scene):
        game = (await scene.waiting()).game
        await game.do(lambda table, now: table.abort(now))
        with pytest.raises(BadInput, match="no opponent yet"):
            await asking.offer(game, 0, "rematch")
        assert game.table.offers == ()

    with_hall(scenario)


def test_a_rematch_that_could_not_be_opened_can_be_offered_again(with_hall, monkeypatch):
    async def scenario(scene):
        game = (await scene.of_two())[0].game
        await game.do(lambda table, now: table.resign(0, now))
        add = scene.store.add

        async def refuse(_row):
            raise Unavailable("The database is busy.")

        monkeypatch.setattr(scene.store, "add", refuse)
        await agreed(game)
        await settled(game)
        assert (game.rematch, game.table.offers) == (None, ())
        monkeypatch.setattr(scene.store, "add", add)
        await agreed(game)
        await settled(game)
        assert game.rematch in scene.live_games.games

    with_hall(scenario)
