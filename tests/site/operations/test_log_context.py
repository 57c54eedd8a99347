"""Log lines of a game have its id, and other log lines have no game id."""

import asyncio
import io
import json
import logging

import pytest
import structlog

from ludus.site.operations.logs import configure_logs


@pytest.fixture
def lines():
    """Return a function that returns the log lines so far."""
    root, site = logging.getLogger(), logging.getLogger("ludus.site")
    before, level, site_level = root.handlers[:], root.level, site.level
    stream = io.StringIO()
    configure_logs(logging.WARNING, stream, json_lines=True)
    site.setLevel(logging.INFO)
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    root.handlers[:] = before
    root.setLevel(level)
    site.setLevel(site_level)
    structlog.reset_defaults()


def must_name_their_games(lines, games):
    """Check that every line whose text names a game has that game's id."""
    for line in lines:
        for game in games:
            if game in line["event"]:
                assert line.get("game") == game, line


def test_the_whole_life_of_two_games(at_site, guest_at, scripted_bot, lines):
    def script(bot, request):
        answer = json.loads(bot.think(request))
        if request["type"] == "evaluate_position" and request["expectedPly"] == 1:
            answer["bestMove"] = "z9"
        return answer

    async def scenario(address, site):
        async with scripted_bot(address, script=script):
            lost = await guest_at(address).open(side=0)
            await lost.act((await lost.my_turn())["board"]["choices"][0]["action"])
            assert (await lost.over())["result"]["winner"] == 0
            ann = await guest_at(address).invite(side=0)
            bob = await guest_at(address).sit_down(ann.id)
            await bob.until(lambda s: s["status"] == "playing")
            await bob.say(type="resign")
            await ann.over()
            await ann.socket.close()
            await bob.socket.close()
            while site.live_games.games[ann.id].visited:
                await asyncio.sleep(0.01)
            site.live_games.games[ann.id].last_seen = 0
            while ann.id in site.live_games.games:  # as soon as it is written that she left
                await site.evictor.sweep()
                await asyncio.sleep(0.01)
        found, games = lines(), (lost.id, ann.id)
        must_name_their_games(found, games)
        told = {game: [line["event"] for line in found if line.get("game") == game] for game in games}
        assert f"Game {lost.id} is lost by bot c1:b" in " ".join(told[lost.id])
        assert f"Game {lost.id} is over: won by side 0" in " ".join(told[lost.id])
        assert told[ann.id][0] == f"Opened game {ann.id}: connect4."
        assert told[ann.id][-1] == f"Game {ann.id} is over: won by side 0 (resignation)."
        by_bot = next(line for line in found if "is lost by bot" in line["event"])
        assert "conn" not in by_bot  # the bot's fault is unrelated to the connection that opened the game

    at_site(scenario)


def test_a_clock_that_falls_and_a_change_that_fails(at_site, guest_at, lines):
    async def scenario(address, site):
        config = {"game": "connect4", "boardWidth": 7, "boardHeight": 6}
        timed = config | {"timeControl": {"initialSeconds": 10, "incrementSeconds": 0}}
        ann = await guest_at(address).invite(side=0, config=timed)
        bob = await guest_at(address).sit_down(ann.id)
        await ann.until(lambda s: s["status"] == "playing")
        await ann.play(3)
        await bob.play(3)

        def broken(_table, _now):
            raise ValueError("a mistake of ours")

        game = site.live_games.games[ann.id]
        with pytest.raises(ValueError, match="a mistake"):
            await game.do(broken)
        clock = game.now
        game.now = lambda: clock() + 11_000
        game.set_alarms()
        assert (await ann.over())["result"]["reason"] == "timeout"
        found = lines()
        must_name_their_games(found, [ann.id])
        events = [line["event"] for line in found if line.get("game") == ann.id]
        assert f"A background task of game {ann.id} failed." in events
        assert f"Game {ann.id} is over: won by side 1 (timeout)." in events

    at_site(scenario)


def test_a_database_that_refuses_belongs_to_no_game(at_site, guest_at, lines):
    async def scenario(address, site):
        await guest_at(address).invite(side=0)
        site._database._writer._note_refusal(OSError("no room"))
        await guest_at(address).invite(side=0)
        found = next(line for line in lines() if "works again" in line["event"])
        assert "game" not in found
        assert "conn" not in found

    at_site(scenario)
