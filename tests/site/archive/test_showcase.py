"""The good games that come with the site: they can be replayed, and are games to the end."""

import httpx
import pytest

from ludus.site.archive.showcase import Showcase
from ludus.site.faults import NotHere


@pytest.fixture(scope="module")
def shown():
    return Showcase()


def test_every_game_to_show_is_legal_and_played_to_its_end(shown):
    assert len({game.spec.partition(":")[0] for game in shown.games}) >= 5
    for number, game in enumerate(shown.games):
        brought = shown.brought(number)
        assert brought.last.outcome, game.spec
        assert brought.last.moves == game.moves.split()
        assert all("visits" in name for name in brought.header.names)


def test_numbers_wrap_around_and_a_site_without_games_says_so(shown):
    assert [shown.index(len(shown.games) + number) for number in (-1, 0, 1)] == [len(shown.games) - 1, 0, 1]
    none = Showcase()
    none.games = []
    with pytest.raises(NotHere, match="no games to show"):
        none.index(0)


def test_the_site_gives_a_game_to_show_as_a_link(shown, at_site):
    async def scenario(address, _site):
        async with httpx.AsyncClient(base_url=address) as client:
            link = (await client.get("/api/showcase/1")).json()["link"]
            replay = (await client.post("/api/shared", json={"link": link})).json()
            assert [move["text"] for move in replay["moves"]] == shown.games[1].moves.split()
            assert [player["name"] for player in replay["game"]["players"]] == [*shown.games[1].names]
            view = (await client.get(f"/api/showcase/1/plies/{replay['plies']}")).json()
            assert view == (await client.post(f"/api/shared/plies/{replay['plies']}", json={"link": link})).json()
            assert (await client.get("/api/showcase/1/plies/9999")).status_code == 404
            assert (await client.get("/api/showcase/best")).status_code == 404

    at_site(scenario)
