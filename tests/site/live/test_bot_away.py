"""A bot client that loses its connection: the game waits, notifies its players, and continues or is forfeited."""


def test_a_bot_that_reconnects_in_time_gets_the_moves_again_and_plays_on(at_site, scripted_bot, guest_at):
    async def scenario(address, _site):
        async with scripted_bot(address):
            guest = await guest_at(address).open(side=0)
            await guest.play(3)
            await guest.until(lambda s: s["ply"] == 2)
            played = [move["text"] for move in guest.state["moves"]]
        await guest.play(2)  # the bot is not connected
        while not any("lost its connection" in error for error in guest.errors):
            await guest.hear()
        async with scripted_bot(address) as bot:
            state = await guest.my_turn()
            assert (state["ply"], state["status"]) == (4, "playing")
            assert bot.questions[:5] == [
                "start",
                f"apply 0 {played[0]}",
                f"apply 1 {played[1]}",
                "apply 2 3",
                "evaluate 3",
            ]

    at_site(scenario, disconnect_grace_s=5.0)


def test_players_are_not_notified_of_a_short_reconnect(at_site, scripted_bot, guest_at):
    async def scenario(address, _site):
        async with scripted_bot(address):
            guest = await guest_at(address).open(side=0)
            await guest.play(3)
            await guest.until(lambda s: s["ply"] == 2)
        await guest.play(2)
        async with scripted_bot(address):
            assert (await guest.my_turn())["ply"] == 4
        assert guest.errors == []

    at_site(scenario, disconnect_grace_s=30.0, absence_told_s=20.0)


def test_a_bot_that_does_not_reconnect_forfeits_the_game(at_site, scripted_bot, guest_at):
    async def scenario(address, _site):
        async with scripted_bot(address):
            guest = await guest_at(address).open(side=0)
            await guest.my_turn()
        assert (await guest.over())["result"] == {"winner": 0, "reason": "Bo lost its connection and did not come back"}

    at_site(scenario, disconnect_grace_s=0.2)
