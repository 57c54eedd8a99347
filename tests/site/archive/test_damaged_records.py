"""A stored game that cannot be replayed is a server error, which is reported and logged."""

import asyncio
import json
import logging

import pytest
from sqlalchemy import text
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from ludus.errors import BadInput, BadRecord, Unavailable
from ludus.site import faults
from ludus.site.faults import NotHere, close_of, status_of

ASK = {"type": "eval-handshake", "variant": "standard", "boardWidth": 7, "boardHeight": 6, "game": "connect4"}


@pytest.fixture(autouse=True)
def fresh_log(caplog):
    """Clear the cache of logged records."""
    faults._log_once.cache_clear()
    caplog.set_level(logging.ERROR, faults.__name__)


def errors_in(caplog):
    return [record.getMessage() for record in caplog.records if record.name == faults.__name__]


def test_a_damaged_record_is_a_server_error_and_logged_once(caplog):
    error = BadRecord("Move 2 in the record of game g cannot be played.")
    assert [status_of(error), close_of(error, "Not here").code, status_of(error)] == [500, 1011, 500]
    assert errors_in(caplog) == ["A record of this site is damaged: Move 2 in the record of game g cannot be played."]
    assert status_of(BadRecord("Another one.")) == 500
    assert len(errors_in(caplog)) == 2


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [(BadInput("x"), 400, 1008), (NotHere("x"), 404, 1008), (Unavailable("x"), 503, 1013)],
)
def test_errors_of_clients_are_refused_and_not_logged(caplog, error, status, code):
    assert (status_of(error), close_of(error, "Not here").code) == (status, code)
    assert errors_in(caplog) == []


def test_sockets_of_a_damaged_game_close_with_a_server_error(at_site, scripted_bot, guest_at, caplog):
    async def scenario(address, site):
        sockets = address.replace("http", "ws")
        async with scripted_bot(address):
            guest = await guest_at(address).open(side=0)
            await guest.play(3)
            await guest.until(lambda s: s["ply"] == 2)
            await guest.socket.close()
            game = site.live_games.games[guest.id]
            while game.id in site.live_games.games:  # as soon as the guest has left and all of it is written
                await site.live_games.evict(game)
                await asyncio.sleep(0.01)
            spoil = text("UPDATE moves SET text = 'nonsense' WHERE game_id = :id").bindparams(id=guest.id)
            await site.live_games.store._database.write(lambda connection: connection.execute(spoil))

            page = await guest_at(address).join(guest.id)
            assert await page.until_closed() == 1011
            assert "cannot be played" in page.errors[0]

            with pytest.raises(InvalidStatus) as refused:
                async with connect(f"{sockets}/ws/games/{guest.id}"):
                    pass
            assert refused.value.response.status_code == 500
            assert b"cannot be played" in refused.value.response.body

            async with connect(f"{sockets}/ws/eval/{guest.id}") as bar:
                await bar.send(json.dumps(ASK | {"gameId": guest.id}))
                assert json.loads(await bar.recv())["code"] == "INTERNAL_ERROR"
                with pytest.raises(ConnectionClosed) as closed:
                    await bar.recv()
                assert closed.value.rcvd.code == 1011
        assert len(errors_in(caplog)) == 1

    at_site(scenario)
