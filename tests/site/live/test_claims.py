"""Claims: a player may claim a game when the opponent has been away for some time, and not before."""

import asyncio
import contextvars
from collections import namedtuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.site.live.presence import Presence

CONFIG = {"game": "connect4", "boardWidth": 7, "boardHeight": 6}
TIMED = CONFIG | {"timeControl": {"initialSeconds": 600, "incrementSeconds": 0}}
Socket = namedtuple("Socket", "you")
STEPS = st.lists(st.tuples(st.sampled_from([0, 1]), st.booleans(), st.integers(0, 50)), max_size=12)


@given(STEPS)
def test_the_wait_for_a_claim_starts_when_the_opponent_disconnects(steps):
    now, log = 1000, []
    sockets = [Socket(0), Socket(1)]

    async def scenario():
        nonlocal now
        context = contextvars.copy_context()
        presence = Presence(lambda: now, 70, 1000, may_claim=lambda: True, tell=lambda: None, context=context)
        for side, here, ms in steps:
            (presence.come if here else presence.go)(sockets[side])
            log.append((side, here, now))
            now += ms
        presence.close()
        return presence

    presence = asyncio.run(scenario())
    for side in (0, 1):
        notes = [(1000, False), *((at, here) for who, here, at in log if who == side)]
        gone = [at for index, (at, here) in enumerate(notes) if not here and (index == 0 or notes[index - 1][1])]
        wanted = None if notes[-1][1] else gone[-1] + 70
        assert presence.claimable_at(1 - side) == wanted


async def begun(address, guest_at, config=CONFIG, **more):
    """Return both players of a new game in which each has made a move."""
    ann = await guest_at(address).invite(side=0, config=config, **more)
    bob = await guest_at(address).sit_down(ann.id)
    await ann.until(lambda s: s["status"] == "playing" and s["players"][1]["connected"])
    await ann.play(3)
    await bob.play(3)
    return ann, bob


@pytest.mark.parametrize(("what", "winner"), [("win", 0), ("draw", None)])
@pytest.mark.parametrize("config", [CONFIG, TIMED], ids=["untimed", "timed"])
def test_a_player_may_claim_a_win_or_a_draw_from_an_absent_opponent(at_site, guest_at, what, winner, config):
    async def scenario(address, _site):
        ann, bob = await begun(address, guest_at, config)
        assert (await ann.until(lambda s: s["ply"] == 2))["claimIn"] is None
        await bob.socket.close()
        state = await ann.until(lambda s: s["claimIn"] is not None)
        assert 0 <= state["claimIn"] <= 300
        await ann.until(lambda s: s["claimIn"] == 0)
        await ann.say(type="claim", what=what)
        state = await ann.over()
        assert state["result"] == {"winner": winner, "reason": "the other side left"}
        assert state["claimIn"] is None

    at_site(scenario, claim_after_s=0.3, claim_untimed_after_s=0.3)


def test_a_claim_is_refused_while_the_opponent_is_connected_or_has_just_left(at_site, guest_at):
    async def scenario(address, site):
        ann, bob = await begun(address, guest_at)
        await ann.say(type="claim", what="win")
        assert "only after your opponent has left" in (await ann.told("error"))["message"]
        second_tab = await guest_at(address).join(ann.id, bob.token)
        await bob.socket.close()
        while len(site.live_games.games[ann.id].presence.watchers) > 2:
            await asyncio.sleep(0.01)
        await ann.say(type="claim", what="win")
        assert "only after your opponent has left" in (await ann.told("error"))["message"]
        await second_tab.socket.close()
        await ann.until(lambda s: s["claimIn"] is not None)
        await ann.say(type="claim", what="win")
        assert "may come back. You can claim" in (await ann.told("error"))["message"]
        bob = await guest_at(address).join(ann.id, bob.token)
        await ann.until(lambda s: s["claimIn"] is None)
        assert not (await bob.until(lambda s: s))["result"]

    at_site(scenario)


def test_a_game_that_can_be_aborted_cannot_be_claimed(at_site, guest_at):
    async def scenario(address, _site):
        ann = await guest_at(address).invite(side=0)
        bob = await guest_at(address).sit_down(ann.id)
        await ann.until(lambda s: s["status"] == "playing")
        await ann.play(3)
        await bob.until(lambda s: s["ply"] == 1)
        await bob.socket.close()
        state = await ann.until(lambda s: not s["players"][1]["connected"])
        assert state["claimIn"] is None
        assert state["canAbort"]
        await ann.say(type="claim", what="win")
        await ann.told("error")

    at_site(scenario, claim_untimed_after_s=0.0)


def test_spectators_cannot_claim_and_games_with_bots_cannot_be_claimed(at_site, guest_at, scripted_bot):
    async def scenario(address, _site):
        async with scripted_bot(address):
            person = await guest_at(address).open(side=0)
            await person.play(3)
            assert (await person.until(lambda s: s["ply"] == 2))["claimIn"] is None
            await person.say(type="claim", what="win")
            await person.told("error")
            watching = await guest_at(address).join(person.id)
            assert (await watching.until(lambda s: s))["claimIn"] is None
            await watching.say(type="claim", what="win")
            assert "You are a spectator" in (await watching.told("error"))["message"]

    at_site(scenario, claim_untimed_after_s=0.0)
