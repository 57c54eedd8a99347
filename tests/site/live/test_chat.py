"""The chat's rate limit, across several sockets of one speaker."""

from ludus.site.live.page_dialect import PageWatcher
from ludus.site.wallgame_io.dialect import WallgameIoWatcher


def test_chat_is_limited_by_seat_or_by_address_or_by_socket_without_an_address(with_hall):
    async def scenario(scene):
        game = (await scene.of_two())[0].game

        def said(*speakers):
            return sum(game.chat.say(speakers[number % len(speakers)], "x") for number in range(30))

        assert said(PageWatcher(game, 0, "t"), WallgameIoWatcher(game, 0, "t", "192.0.2.1")) == 5, (
            "one seat in two tabs"
        )
        assert said(PageWatcher(game, 1, "u")) == 5
        assert said(PageWatcher(game, None, None, "192.0.2.1"), WallgameIoWatcher(game, None, None, "192.0.2.1")) == 5
        assert said(PageWatcher(game, None, None), WallgameIoWatcher(game, None, None)) == 10
        scene.ms += 4000
        assert said(PageWatcher(game, 0, "t")) == 2

    with_hall(scenario)
