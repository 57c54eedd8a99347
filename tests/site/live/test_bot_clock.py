"""Bots with clocks: they are told their clock, lose on time, and may be asked to think longer."""

import asyncio

import pytest
from pydantic import ValidationError

from ludus.protocol.bgs import MoverClock
from ludus.site.live.bot_player import mover_clock
from ludus.site.messages.requests import Timing
from ludus.site.table.clock import Periods, TimeControl, new_clock

CONNECT4 = {"game": "connect4", "boardWidth": 7, "boardHeight": 6}


async def play(guest, side=0, **more):
    """Open a game against the bot with further fields in the request."""
    body = {"botId": "c1:b", "config": CONNECT4, "hostIsPlayer1": side == 0} | more
    found = await guest.ask("POST", "/api/bots/play", body, 201)
    return await guest.join(found["gameId"], found["token"])


def test_a_bot_is_told_its_clock_and_only_its_own_turns(at_site, scripted_bot, guest_at):
    async def scenario(address, _site):
        async with scripted_bot(address) as bot:
            timing = {"initialSeconds": 60, "incrementSeconds": 2}
            guest = await play(guest_at(address), timeControl=timing)
            await guest.play(3)
            state = await guest.until(lambda s: s["ply"] == 2)
            assert state["clock"]["initial"] == 60_000
            assert state["timeClass"] == "bullet"
            (asked,) = (each for each in bot.asked if each["type"] == "evaluate_position")
            assert asked["expectedPly"] == 1
            assert asked["clock"]["leftMs"] <= 60_000
            assert asked["clock"]["incrementMs"] == 2000
            assert "seconds" not in asked

    at_site(scenario)


def test_a_bot_that_thinks_too_long_loses_on_time(at_site, scripted_bot, guest_at):
    def silent(bot, request):
        return None if request["type"] == "evaluate_position" else bot.think(request)

    async def scenario(address, _site):
        async with scripted_bot(address, script=silent):
            timing = {"initialSeconds": 0, "overtime": {"periodSeconds": 5}}
            guest = await play(guest_at(address), timeControl=timing)
            await guest.act(3, 0) if guest.state else await guest.play(3)
            state = await guest.over()
            assert state["result"] == {"winner": 0, "reason": "timeout"}

    at_site(scenario, request_timeout_s=30.0)


def test_a_bot_may_be_asked_to_think_longer_than_it_may_be_silent(at_site, scripted_bot, guest_at, a_bot):
    async def late(bot, request):
        await asyncio.sleep(1.0)
        await bot.send(bot.think(request))

    def script(bot, request):
        if request["type"] != "evaluate_position" or "seconds" not in request:
            return bot.think(request)
        bot.later = asyncio.create_task(late(bot, request))
        return None

    async def scenario(address, _site):
        async with scripted_bot(address, bots=[a_bot(maxSeconds=20)], script=script) as bot:
            guest = await play(guest_at(address), botSeconds=2)
            await guest.play(3)
            state = await guest.until(lambda s: s["ply"] == 2)
            assert state["stalled"] is None
            assert [each.get("seconds") for each in bot.asked if each["type"] == "evaluate_position"].count(2.0) == 1

    at_site(scenario, request_timeout_s=0.5)


@pytest.mark.parametrize(("most", "wanted", "allowed"), [(0, 1, 0), (20, 21, 20), (500, 61, 60)])
def test_more_time_than_bot_and_operator_allow_is_refused(
    at_site, scripted_bot, guest_at, a_bot, most, wanted, allowed
):
    async def scenario(address, _site):
        async with scripted_bot(address, bots=[a_bot(maxSeconds=most)]):
            guest = guest_at(address)
            body = {"botId": "c1:b", "config": CONNECT4, "botSeconds": wanted}
            found = await guest.ask("POST", "/api/bots/play", body, 400)
            assert found["error"].endswith(f"The most is {allowed}.")
            listed = (await guest.ask("GET", "/api/catalogue"))["games"]
            bots = [bot for game in listed for bot in game["bots"]]
            assert [bot["maxSeconds"] for bot in bots] == [allowed]

    at_site(scenario)


def test_a_game_against_a_bot_is_not_played_over_days(at_site, scripted_bot, guest_at):
    async def scenario(address, _site):
        async with scripted_bot(address):
            body = {"botId": "c1:b", "config": CONNECT4, "timeControl": {"daysPerMove": 2}}
            found = await guest_at(address).ask("POST", "/api/bots/play", body, 400)
            assert found["error"].startswith("Games over days are between people.")

    at_site(scenario)


def test_a_bot_is_told_its_main_time_and_then_its_period():
    control = TimeControl(1000, 0, overtime=Periods(500, 3))
    clock = new_clock(control).started(1, 0)
    assert mover_clock(clock, control, 1, 400) == MoverClock(600, 0, 500, 3)
    assert mover_clock(clock, control, 1, 1700) == MoverClock(300, 0, 500, 2, 1)
    canadian = TimeControl(0, 0, overtime=Periods(500, moves=4))
    clock = new_clock(canadian).started(0, 0).pressed(0, canadian, 100).started(0, 100)
    assert mover_clock(clock, canadian, 0, 250) == MoverClock(250, 0, 500, 1, 3, 4)


@pytest.mark.parametrize(
    ("told", "fault"),
    [
        ({}, "at least 10"),
        ({"initialSeconds": 9}, "at least 10"),
        ({"initialSeconds": 60, "incrementSeconds": 2, "overtime": {"periodSeconds": 30}}, "not both"),
        ({"initialSeconds": 60, "overtime": {"periodSeconds": 30, "periods": 3, "moves": 2}}, "not both"),
        ({"daysPerMove": 3, "initialSeconds": 60}, "leave the other times out"),
        ({"daysPerMove": 15}, "less than or equal to 14"),
        ({"initialSeconds": 60, "overtime": {"periodSeconds": 4}}, "greater than or equal to 5"),
    ],
)
def test_a_time_control_is_of_one_kind(told, fault):
    with pytest.raises(ValidationError, match=fault):
        Timing.model_validate(told)


def test_the_time_control_of_days_is_one_period_for_each_move():
    control = Timing.model_validate({"daysPerMove": 3}).control
    assert (control.days, control.initial_ms, control.total_ms) == (3, 0, 3 * 24 * 3600 * 1000)
