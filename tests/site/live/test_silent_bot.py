"""A bot that does not answer: the site asks it again, and its opponent may end the game."""

import asyncio

import pytest

SOON = {"request_timeout_s": 0.5, "answer_grace_s": 60.0}


class Silence:
    """A script that answers nothing from the evaluation of ply 1 on while it is `silent`."""

    def __init__(self, silent=True):
        self.silent = silent
        self.begun = False

    def __call__(self, bot, request):
        self.begun |= request.get("expectedPly") == 1 and request["type"] == "evaluate_position"
        return None if self.begun and self.silent else bot.think(request)


@pytest.fixture
def stalled_game(at_site, scripted_bot, guest_at):
    """Return a function that runs `async def (address, site, guest, script)` once the guest's bot has fallen silent."""

    def run(scenario, **settings):
        async def with_bot(address, site):
            script = Silence()
            async with scripted_bot(address, script=script):
                guest = await guest_at(address).open(side=0)
                await guest.play(3)
                await guest.until(lambda s: s["stalled"])
                await scenario(address, site, guest, script)

        at_site(with_bot, **SOON | settings)

    return run


def test_a_bot_that_answers_again_plays_on(stalled_game):
    async def scenario(_address, _site, guest, script):
        stalled = guest.state["stalled"]
        assert (stalled["side"], stalled["gone"]) == (1, False)
        assert 50_000 < stalled["forfeitsIn"] <= 60_000
        await asyncio.sleep(1.2)
        script.silent = False
        state = await guest.until(lambda s: s["ply"] == 2)
        assert state["stalled"] is None
        assert (await guest.play(2))["ply"] == 3

    stalled_game(scenario)


def test_its_opponent_may_end_the_game_without_a_result(stalled_game, guest_at):
    async def scenario(address, _site, guest, _script):
        spectator = await guest_at(address).join(guest.id)
        await spectator.say(type="end")
        await spectator.told("error")
        await guest.say(type="end")
        state = await guest.over()
        assert state["result"] == {"winner": None, "reason": "aborted"}
        assert (state["score"], state["stalled"]) == ([0.0, 0.0], None)

    stalled_game(scenario)


def test_its_opponent_may_let_the_game_wait_longer(stalled_game):
    async def scenario(_address, site, guest, script):
        await guest.say(type="wait")
        await guest.until(lambda s: s["stalled"]["forfeitsIn"] > 500_000)
        await asyncio.sleep(2.5)
        script.silent = False
        assert (await guest.until(lambda s: s["ply"] == 2))["status"] == "playing"
        assert site.live_games.games[guest.id].stalls == {}

    stalled_game(scenario, answer_grace_s=1.5)


def test_it_loses_the_game_after_the_grace_period(stalled_game):
    async def scenario(_address, _site, guest, _script):
        result = (await guest.over())["result"]
        assert result["winner"] == 0
        assert result["reason"].startswith("Bo did not answer within ")

    stalled_game(scenario, answer_grace_s=0.8)


def test_while_all_bots_answer_nothing_can_be_ended(at_site, scripted_bot, guest_at):
    async def scenario(address, _site):
        async with scripted_bot(address):
            guest = await guest_at(address).open(side=0)
            await guest.my_turn()
            for kind in ("end", "wait"):
                await guest.say(type=kind)
                assert "answers again" in (await guest.told("error"))["message"]

    at_site(scenario)


def test_the_game_of_a_bot_that_lost_its_connection_may_be_ended(at_site, scripted_bot, guest_at):
    async def scenario(address, _site):
        async with scripted_bot(address):
            guest = await guest_at(address).open(side=0)
            await guest.play(3)
            await guest.until(lambda s: s["ply"] == 2)
        await guest.play(2)
        await guest.until(lambda s: s["stalled"] and s["stalled"]["gone"])
        await guest.say(type="end")
        assert (await guest.over())["result"] == {"winner": None, "reason": "aborted"}

    at_site(scenario, disconnect_grace_s=60.0)
