"""The health check starts a game session with an official bot; an open socket alone does not count as healthy."""

import asyncio

import pytest

from ludus.site.routes.operations import KEPT_S, Health, HealthProbe

TOKEN = "official"


def official(a_bot, **changes):
    return [a_bot(officialToken=TOKEN, **changes)]


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def silent(bot, request):
    return None if request["type"] == "evaluate_position" else bot.think(request)


def failing(bot, request):
    answer = {"type": "game_session_started", "bgsId": request["bgsId"], "success": False, "error": "engine is gone"}
    return answer if request["type"] == "start_game_session" else bot.think(request)


def test_a_site_without_official_bots_is_healthy(at_site, scripted_bot):
    async def scenario(address, site):
        assert await HealthProbe(site.bots).health() == Health("ok")
        async with scripted_bot(address):
            assert await HealthProbe(site.bots).health() == Health("ok"), "bots of others are not checked"

    at_site(scenario, official_token=TOKEN)


def test_an_official_bot_is_asked_for_an_evaluation(at_site, scripted_bot, a_bot):
    async def scenario(address, site):
        async with scripted_bot(address, bots=official(a_bot)) as bot:
            health = await HealthProbe(site.bots).health()
            assert (health.status, health.bot) == ("ok", "c1:b")
            assert health.round_trip_s is not None
            assert bot.questions == ["start", "evaluate 0", "end"]

    at_site(scenario, official_token=TOKEN)


def test_the_first_official_bot_in_list_order_is_asked(at_site, scripted_bot, a_bot):
    async def scenario(address, site):
        bots = [*official(a_bot, botId="hard", listOrder=9), *official(a_bot, botId="easy", listOrder=1)]
        async with scripted_bot(address, bots=bots):
            assert (await HealthProbe(site.bots).health()).bot == "c1:easy"

    at_site(scenario, official_token=TOKEN)


@pytest.mark.parametrize(("script", "reason"), [(silent, "did not answer within"), (failing, "reported an error")])
def test_a_site_whose_official_bot_fails_is_unwell(at_site, scripted_bot, a_bot, script, reason):
    async def scenario(address, site):
        async with scripted_bot(address, bots=official(a_bot), script=script):
            health = await HealthProbe(site.bots).health()
            assert health.status == "unwell"
            assert reason in health.reason

    at_site(scenario, official_token=TOKEN, request_timeout_s=0.1)


def test_a_health_result_is_cached_and_shared_by_concurrent_requests(at_site, scripted_bot, a_bot):
    async def scenario(address, site):
        clock = Clock()
        probe = HealthProbe(site.bots, clock)
        async with scripted_bot(address, bots=official(a_bot)) as bot:
            await asyncio.gather(*(probe.health() for _ in range(20)))
            assert bot.questions.count("start") == 1
            clock.now += KEPT_S + 1
            await probe.health()
            assert bot.questions.count("start") == 2
        while site.bots.all():
            await asyncio.sleep(0.01)
        assert (await probe.health()).bot is None, "the cache does not outlive the bot's connection"

    at_site(scenario, official_token=TOKEN)
