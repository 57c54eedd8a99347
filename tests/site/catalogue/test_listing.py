"""The catalogue is computed in a thread, cached, and recomputed after bots attach or detach."""

import asyncio
import threading

import pytest

from ludus.protocol.registration import Attach, BoardSize, BotConfig, ClientInfo, Extent, ServerInfo, VariantSupport
from ludus.site.bots.bots import BotLink, Bots
from ludus.site.catalogue import listing
from ludus.site.catalogue.catalogue import bot_offers, catalogue
from ludus.site.catalogue.engines import DeviceEngines
from ludus.site.catalogue.listing import Listing
from ludus.site.settings import SiteSettings


def bot(bot_id, *sizes):
    support = VariantSupport(Extent(3, 20), Extent(3, 20), [BoardSize(*size) for size in sizes])
    return BotConfig(bot_id, bot_id.title(), None, {"classic": support})


def attach(bots, *configs):
    link = BotLink(bots)
    assert bots.register(link, Attach(3, "c", list(configs), ClientInfo("t", "1"))) is None
    return link


@pytest.fixture
def made(monkeypatch):
    """Return a list of the threads that computed catalogues."""
    threads = []

    def note(*arguments):
        threads.append(threading.current_thread())
        return catalogue(*arguments)

    monkeypatch.setattr(listing, "catalogue", note)
    return threads


def test_a_catalogue_is_made_once_for_all_beside_the_loop_and_anew_when_bots_come_or_go(made):
    async def scenario():
        bots = Bots(SiteSettings(), ServerInfo("ludus", "0"))
        kept = Listing(bots, DeviceEngines())
        first, *others = await asyncio.gather(*(kept.now() for _ in range(5)))
        assert all(other is first for other in others)
        assert len(made) == 1
        assert threading.current_thread() not in made, "the games go on meanwhile"
        link = attach(bots, bot("b", (5, 5)))
        assert "wallgame:classic:5x5" in (await kept.now()).specs
        assert len(made) == 2
        link.close()
        assert (await kept.now()).specs == first.specs
        assert len(made) == 3

    asyncio.run(scenario())


def test_what_changed_while_a_catalogue_was_made_is_in_the_next_one(monkeypatch):
    async def scenario():
        bots = Bots(SiteSettings(), ServerInfo("ludus", "0"))
        kept, begun, go_on = Listing(bots, DeviceEngines()), asyncio.Event(), threading.Event()
        loop = asyncio.get_running_loop()

        def slowly(*arguments):
            loop.call_soon_threadsafe(begun.set)
            assert go_on.wait(300)
            return catalogue(*arguments)

        monkeypatch.setattr(listing, "catalogue", slowly)
        early = asyncio.create_task(kept.now())
        await begun.wait()
        attach(bots, bot("b", (5, 5)))
        late = asyncio.create_task(kept.now())
        go_on.set()
        assert "wallgame:classic:5x5" not in (await early).specs
        assert "wallgame:classic:5x5" in (await late).specs

    asyncio.run(scenario())


def test_a_board_is_drawn_once_however_many_there_are(monkeypatch):
    drawn = []
    monkeypatch.setattr("ludus.site.catalogue.catalogue._drawing", lambda spec: drawn.append(spec))
    sizes = [(width, height) for width in range(3, 21) for height in range(3, 20)]
    bots = [bot(f"b{first}", *sizes[first : first + 3]) for first in range(0, 300, 3)]
    offered = bot_offers([("c:b", each, False) for each in bots])
    for _ in range(2):
        assert len({game.spec for game in catalogue(offered).games if game.bots}) == 300
    assert len(drawn) == len(set(drawn))
