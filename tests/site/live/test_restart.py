"""The site in a separate process: killed during games or stopped by SIGTERM, and started again."""

import asyncio
import signal

import pytest

from ludus.site.runner import listen

PATIENCE_S = 240


@pytest.fixture
def in_process(tmp_path, fresh_url, site_process):
    """Return a function that runs a scenario with `make`; each `make()` starts a site on the same database and port."""

    def run(scenario):
        listener = listen("127.0.0.1", 0)
        port = listener.getsockname()[1]
        listener.close()

        async def limited():
            async with asyncio.timeout(PATIENCE_S):
                await scenario(lambda: site_process(tmp_path, port, fresh_url))

        asyncio.run(limited())

    return run


@pytest.mark.full
def test_a_killed_site_restores_every_move_and_clock(in_process, scripted_bot, guest_at):
    async def scenario(make):
        async with make() as site, scripted_bot(site.address):
            against_bot = await guest_at(site.address).open(side=0)
            await against_bot.play(3)
            await against_bot.until(lambda s: s["ply"] == 2)
            config = {"game": "wallgame", "variant": "classic", "boardWidth": 5, "boardHeight": 5}
            timed = config | {"timeControl": {"initialSeconds": 600, "incrementSeconds": 2}}
            ann = await guest_at(site.address).invite(side=0, config=timed)
            bob = await guest_at(site.address).sit_down(ann.id)
            await ann.until(lambda s: s["status"] == "playing")
            for _ in range(3):  # a whole move of Ann's, and half a move of Bob's
                player = ann if ann.state["ply"] < 2 else bob
                ply = (await player.my_turn())["ply"]
                await player.act(player.state["board"]["choices"][0]["action"])
                await player.until(lambda s, ply=ply: s["ply"] > ply)
            await site.end(signal.SIGKILL)
        before = against_bot.state, bob.state

        async with make() as site, scripted_bot(site.address) as bot:
            again = await guest_at(site.address).join(against_bot.id, against_bot.token)
            state = await again.until(lambda s: s["status"] == "playing")
            for field in ("moves", "ply", "evaluations", "toPlay", "you"):
                assert state[field] == before[0][field]
            seats = [[player | {"connected": None} for player in each["players"]] for each in (state, before[0])]
            assert seats[0] == seats[1]
            await again.play(2)
            state = await again.until(lambda s: s["ply"] == 4)
            played = [move["text"] for move in state["moves"]]
            assert bot.questions[:4] == [
                "start",
                f"apply 0 {played[0]}",
                f"apply 1 {played[1]}",
                f"apply 2 {played[2]}",
            ]
            bob = await guest_at(site.address).join(ann.id, bob.token)
            state = await bob.until(lambda s: s)
            assert (state["ply"], state["staged"], state["moves"]) == (3, 1, before[1]["moves"])
            left, was = state["clock"]["left"], before[1]["clock"]["left"]
            assert left[0] == was[0] == 602_000
            assert was[1] - PATIENCE_S * 1000 < left[1] <= 600_000
            assert state["board"] == before[1]["board"]

    in_process(scenario)


def test_a_stopping_site_closes_sockets_with_a_reason_and_keeps_all_moves(in_process, guest_at):
    async def scenario(make):
        async with make() as site:
            ann = await guest_at(site.address).invite(side=0)
            bob = await guest_at(site.address).sit_down(ann.id)
            await ann.until(lambda s: s["status"] == "playing")
            await ann.play(3)
            stopping = asyncio.create_task(site.end(signal.SIGTERM))
            for person in (ann, bob):
                assert await person.until_closed() == 1012
                assert person.farewell == "The site is being restarted"
            assert await stopping == 0
        async with make() as site:
            bob = await guest_at(site.address).join(ann.id, bob.token)
            assert (await bob.play(3))["ply"] == 2

    in_process(scenario)
