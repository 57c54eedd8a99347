"""A site that stands by: it takes over only when the other site has ended or fallen silent."""

import asyncio
import contextlib
import signal
import time

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from ludus.site.database.claim import TakenError
from ludus.site.database.database import Database
from ludus.site.database.records import DAY_MS
from ludus.site.database.standby import LOOK_S, Watch, until_ended
from ludus.site.runner import listen

on_postgresql = pytest.mark.parametrize(
    "fresh_url", [pytest.param("postgresql", marks=pytest.mark.full)], indirect=True
)
ROUNDS = 3
LONGEST_S = 60.0
"""Most seconds until the other site serves: ten on a quiet machine, see the ledger; more on a busy one."""
TIMED = {"game": "connect4", "boardWidth": 7, "boardHeight": 6}
TIMED |= {"timeControl": {"initialSeconds": 600, "incrementSeconds": 0}}


def looks(*seen, silence_s=5.0):
    """Return the number of the look at which a site takes over; None if it does not.

    Each look is (seconds since the last one, beats of the lease, whether the lock is held), or None while the database
    cannot be reached.
    """
    now_s = 100.0
    watch = Watch(silence_s, now_s)
    for number, look in enumerate(seen, 1):
        if look is None:
            watch.could_not_look()
            continue
        passed_s, beats, is_locked = look
        now_s += passed_s
        if watch.has_ended(now_s, beats, is_locked=is_locked):
            return number
    return None


@pytest.mark.parametrize(
    ("seen", "taken"),
    [
        ([(LOOK_S, number // 2, True) for number in range(100)], None),
        ([(LOOK_S, 7, True)] * 100, 11),
        ([(LOOK_S, 7, True)] * 10 + [(LOOK_S, 8, True)] * 10, None),
        ([(LOOK_S, 7, True), (LOOK_S, 7, False), (LOOK_S, 7, True), (LOOK_S, 7, False), (LOOK_S, 7, False)], 5),
        ([(LOOK_S, 7, True), None, *[(LOOK_S, 7, False)] * 4, *[(LOOK_S, 8, True)] * 9], None),
        ([(LOOK_S, 7, True), None, *[(LOOK_S, number, False) for number in range(20)]], 14),
        ([(LOOK_S, 7, True), (60.0, 7, True), (60.0, 7, True), (LOOK_S, 8, True)], None),
    ],
    ids=[
        "alive",
        "silent",
        "slow",
        "a moment without lock",
        "the database restarts",
        "the database restarts without the site",
        "this process stood still",
    ],
)
def test_the_other_site_has_ended_when_its_lock_is_free_or_its_lease_stands(seen, taken):
    assert looks(*seen) == taken


@on_postgresql
def test_a_silent_site_loses_its_connection_and_writes_nothing_afterwards(fresh_url):
    async def scenario():
        first = await Database.open(fresh_url)
        await first.keep_lease()
        began = time.monotonic()
        await until_ended(fresh_url, 1.0)
        assert time.monotonic() - began >= 1.0
        second = await Database.open(fresh_url)
        for _ in range(2):
            with pytest.raises(TakenError):
                await first.keep_lease()
        await second.keep_lease()
        await second.close()
        with pytest.raises(TakenError):  # although nobody holds the lock any more
            await first.keep_lease()
        await first.close()

    asyncio.run(scenario())


@on_postgresql
def test_the_lease_of_a_later_generation_stops_a_site_that_still_has_the_lock(fresh_url):
    async def scenario():
        first = await Database.open(fresh_url)
        await first.write(lambda connection: connection.exec_driver_sql("UPDATE lease SET generation = generation + 1"))
        with pytest.raises(TakenError, match="claimed this database meanwhile"):
            await first.keep_lease()
        await first.close()

    asyncio.run(scenario())


def free_port():
    with listen("127.0.0.1", 0) as listener:
        return listener.getsockname()[1]


async def until_ready(address):
    """Wait until a site serves; return the seconds that this took."""
    began = time.monotonic()
    async with httpx.AsyncClient(base_url=address, timeout=60) as http:
        while (await http.get("/readyz")).status_code != 200:
            await asyncio.sleep(0.05)
    return time.monotonic() - began


async def play_on(players):
    """Play the first legal moves until the site is gone; the players keep the last states that they have received."""
    try:
        while players[0].state["status"] == "playing":
            for player in players:
                if (await player.my_turn())["status"] == "over":
                    return
                await player.play(player.state["board"]["choices"][0]["action"])
    except (ConnectionClosed, TimeoutError):
        pass


@on_postgresql
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP], ids=["killed", "stopped"])
def test_a_site_that_stands_by_takes_over_and_loses_no_move(fresh_url, tmp_path, site_process, guest_at, number):
    def standby():
        return site_process(tmp_path, free_port(), fresh_url, "Ludus stands by at")

    async def strike(serving, waiting):
        async with httpx.AsyncClient(base_url=waiting.address, timeout=60) as http:
            answer = await http.get("/readyz")
            assert (answer.status_code, "stands by" in answer.text) == (503, True)
            assert (await http.post("/api/games", json={"config": TIMED})).status_code == 503
        ann = await guest_at(serving.address).invite(side=0, config=TIMED)
        bob = await guest_at(serving.address).sit_down(ann.id)
        await ann.until(lambda state: state["status"] == "playing")
        playing = asyncio.create_task(play_on([ann, bob]))
        while bob.state is None or bob.state["ply"] < 4:
            assert not playing.done()
            await asyncio.sleep(0.01)
        serving.process.send_signal(number)
        took_s = await until_ready(waiting.address)
        print(f"It took {took_s:.1f} s.")
        assert took_s < LONGEST_S
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        seen = max(ann.state, bob.state, key=lambda state: state["ply"])
        again = await guest_at(waiting.address).join(ann.id, ann.token)
        state = await again.until(lambda s: s)
        assert state["moves"][: len(seen["moves"])] == seen["moves"]
        assert sum(state["clock"]["left"]) > 1_190_000 - 5000
        if number == signal.SIGSTOP:
            serving.process.send_signal(signal.SIGCONT)
            assert await serving.process.wait() == 1
            assert b"Another site has claimed this database" in await serving.process.stderr.read()

    async def scenario():
        async with contextlib.AsyncExitStack() as stack:
            serving = await stack.enter_async_context(site_process(tmp_path, free_port(), fresh_url))
            for _ in range(ROUNDS):
                waiting = await stack.enter_async_context(standby())
                await strike(serving, waiting)
                serving = waiting

    async def limited():
        async with asyncio.timeout(500):
            await scenario()

    asyncio.run(limited())


@on_postgresql
def test_a_game_over_days_goes_on_at_the_site_that_takes_over(fresh_url, tmp_path, site_process, guest_at):
    days = TIMED | {"timeControl": {"daysPerMove": 3}}
    ports = [free_port(), free_port()]

    async def registered(stack, address, name):
        http = await stack.enter_async_context(httpx.AsyncClient(base_url=address, timeout=60))
        body = {"name": name, "password": "correct horse battery"}
        assert (await http.post("/api/account", json=body)).status_code == 201
        return http

    async def scenario():
        async with contextlib.AsyncExitStack() as stack:
            serving = await stack.enter_async_context(site_process(tmp_path, ports[0], fresh_url))
            ann = await registered(stack, serving.address, "Ann")
            bob = await registered(stack, serving.address, "Bob")
            opened = (await ann.post("/api/games", json={"config": days, "hostIsPlayer1": True})).json()
            game, token = opened["gameId"], opened["hostToken"]
            joined = await bob.post(f"/api/games/{game}/join", json={})
            assert joined.status_code == 200
            first = await guest_at(serving.address).join(game, token)
            await first.play(3)
            waiting = await stack.enter_async_context(site_process(tmp_path, ports[1], fresh_url, "Ludus stands by at"))
            serving.process.send_signal(signal.SIGKILL)
            await until_ready(waiting.address)
            bob.base_url = waiting.address
            mine = (await bob.get("/api/me/games")).json()
            assert [each["id"] for each in mine["games"]] == [game]
            second = await guest_at(waiting.address).join(game, joined.json()["token"])
            state = await second.my_turn()
            assert (len(state["moves"]), state["status"], state["timeClass"]) == (1, "playing", "days")
            assert 3 * DAY_MS - 120_000 < state["clock"]["left"][1] <= 3 * DAY_MS
            assert (await second.play(2))["ply"] == 2

    async def limited():
        async with asyncio.timeout(300):
            await scenario()

    asyncio.run(limited())
