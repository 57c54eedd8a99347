"""Two who want another game get one, whatever they say while it is being opened, or are told why they do not."""

import asyncio
import contextlib

import pytest

from ludus.errors import BadInput, Unavailable
from ludus.site.live import asking


async def agreed(game):
    """Let both ask for a rematch, and one of them think better of it."""
    with contextlib.suppress(BadInput):
        await asking.offer(game, 0, "rematch")
    with contextlib.suppress(BadInput):
        await game.do(lambda table, now: table.accept(1, "rematch", now))
    with contextlib.suppress(BadInput):
        await asking.decline(game, 1, "rematch")


async def settled(game):
    while game.writing:
        await asyncio.sleep(0)


def test_there_is_one_rematch_however_often_it_is_agreed_while_it_is_being_opened(with_hall, monkeypatch):
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


def test_nobody_is_asked_for_a_rematch_who_was_never_there(with_hall):
    async def scenario(scene):
        game = (await scene.waiting()).game
        await game.do(lambda table, now: table.abort(now))
        with pytest.raises(BadInput, match="Nobody has sat down"):
            await asking.offer(game, 0, "rematch")
        assert game.table.offers == ()

    with_hall(scenario)


def test_who_could_not_have_a_rematch_may_ask_again(with_hall, monkeypatch):
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
