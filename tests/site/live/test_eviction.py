"""Eviction of games with bots: the bot's session ends, and a new one starts when the game is loaded again."""

import asyncio

from ludus.site.live import live_games as live_games
from ludus.site.live.bot_player import BotPlayer


def test_eviction_ends_the_bots_session_and_loading_the_game_starts_a_new_one(at_site, scripted_bot, guest_at):
    async def scenario(address, site):
        async with scripted_bot(address) as bot:
            guest = await guest_at(address).open(side=0)
            await guest.play(3)
            await guest.until(lambda s: s["ply"] == 2)
            await guest.socket.close()
            game = site.live_games.games[guest.id]
            while game.id in site.live_games.games:  # as soon as the guest has disconnected and all writes are done
                await site.live_games.evict(game)
                await asyncio.sleep(0.01)
            assert bot.questions[-1] == "end"
            assert bot.engine.num_sessions == 0
            again = await guest_at(address).join(guest.id, guest.token)
            await again.play(2)
            assert (await again.until(lambda s: s["ply"] == 4))["status"] == "playing"

    at_site(scenario)


def test_a_game_that_is_loaded_soon_after_a_restart_waits_for_its_bot_as_long_as_restored_games(with_hall, monkeypatch):
    kept, graces = {}, []

    class Told(BotPlayer):
        def __init__(self, *what):
            graces.append(what[-1])
            super().__init__(*what)

    async def before(scene):
        kept["ids"] = [(await scene.against_bot()).id for _ in range(2)]
        scene.ms += 10_000

    async def after(scene):
        monkeypatch.setattr(live_games, "BotPlayer", Told)
        assert not scene.live_games.games, "both games were idle before the restart"
        scene.ms += 20_000
        await scene.live_games.find(kept["ids"][0])
        scene.ms += 90_000
        await scene.live_games.find(kept["ids"][1])
        assert graces == [100, 30]

    with_hall(before, after, idle_kept_s=5, restart_grace_s=120, disconnect_grace_s=30)
