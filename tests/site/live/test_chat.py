"""How much anybody may say at a table, whatever sockets they say it through."""

from ludus.site.live.page_dialect import PageWatcher
from ludus.site.wallgame.dialect import WallgameWatcher


def test_chat_is_counted_by_seat_and_by_address_and_by_socket_where_none_is_known(with_hall):
    async def scenario(scene):
        game = (await scene.of_two())[0].game

        def said(*speakers):
            return sum(game.say(speakers[number % len(speakers)], "x") for number in range(30))

        assert said(PageWatcher(game, 0, "t"), WallgameWatcher(game, 0, "t", "192.0.2.1")) == 5, "one seat in two tabs"
        assert said(PageWatcher(game, 1, "u")) == 5
        assert said(PageWatcher(game, None, None, "192.0.2.1"), WallgameWatcher(game, None, None, "192.0.2.1")) == 5
        assert said(PageWatcher(game, None, None), WallgameWatcher(game, None, None)) == 10
        scene.ms += 4000
        assert said(PageWatcher(game, 0, "t")) == 2

    with_hall(scenario)
