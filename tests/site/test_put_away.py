"""A game that leaves memory leaves no session behind in an engine, and gets one again when somebody comes."""

import asyncio


def test_the_session_of_a_game_that_is_put_away_is_ended_and_built_again_when_somebody_comes(
    at_site, scripted_bot, guest_at
):
    async def scenario(address, site):
        async with scripted_bot(address) as bot:
            guest = await guest_at(address).open(side=0)
            await guest.play(3)
            await guest.until(lambda s: s["ply"] == 2 and None not in s["evaluations"])
            await guest.socket.close()
            game = site.hall.games[guest.id]
            while game.id in site.hall.games:  # as soon as the guest has left and all of it is written
                await site.hall.put_away(game)
                await asyncio.sleep(0.01)
            assert bot.questions[-1] == "end"
            assert bot.engine.num_sessions == 0
            again = await guest_at(address).join(guest.id, guest.token)
            await again.play(2)
            assert (await again.until(lambda s: s["ply"] == 4))["status"] == "playing"

    at_site(scenario)
