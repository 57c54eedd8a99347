"""Games between two people over sockets: invitations, offers, clocks, rematches, spectators and tabs."""

import asyncio
import json
import sqlite3

import pytest
from websockets.asyncio.client import connect

from ludus.site.database.database import database_url
from ludus.site.live import asking
from ludus.site.live.broadcast import Declined

RACK = {"game": "connect4", "boardWidth": 7, "boardHeight": 6}


async def two(guest_at, address, **config):
    ann = await guest_at(address).invite(side=0, config=RACK | config)
    bob = await guest_at(address).sit_down(ann.id)
    await ann.until(lambda s: s["status"] == "playing" and all(player["connected"] for player in s["players"]))
    await bob.until(lambda s: s["status"] == "playing")
    return ann, bob


def test_a_friend_joins_by_link_and_both_see_the_same_game(at_site, guest_at):
    async def scenario(address, _site):
        ann = await guest_at(address).invite(side=0)
        assert (await ann.until(lambda s: s))["status"] == "waiting"
        found = await ann.ask("GET", f"/api/games/{ann.id}")
        assert (found["kind"], found["reason"]) == ("waiting", "seat-not-filled")
        bob = await guest_at(address).sit_down(ann.id)
        third = await bob.ask("POST", f"/api/games/{ann.id}/join", {})
        assert third["role"] == "spectator"
        await ann.play(3)
        state = await bob.play(2)
        assert [move["text"] for move in state["moves"]] == ["4", "3"]
        assert [player["name"] for player in state["players"]] == ["Ann", "Bob"]
        assert (await ann.my_turn())["board"]["choices"]
        assert (await ann.ask("GET", f"/api/games/{ann.id}?token={bob.token}"))["seat"]["playerId"] == 2

    at_site(scenario)


def test_a_draw_is_refused_then_agreed(at_site, guest_at):
    async def scenario(address, _site):
        ann, bob = await two(guest_at, address)
        await ann.say(type="offer", what="draw")
        assert (await bob.until(lambda s: s["offers"]))["offers"] == [{"what": "draw", "by": 0}]
        await bob.say(type="decline", what="draw")
        assert await ann.told("declined") == {"type": "declined", "what": "draw", "by": 1}
        await ann.say(type="offer", what="draw")
        await bob.until(lambda s: s["offers"])
        await bob.say(type="accept", what="draw")
        state = await ann.over()
        assert (state["result"], state["score"]) == ({"winner": None, "reason": "draw-agreement"}, [0.5, 0.5])

    at_site(scenario)


def test_a_withdrawn_offer_is_not_reported_as_declined(with_hall):
    async def scenario(scene):
        host, _ = await scene.of_two()
        told = []
        host.game.listeners.append(lambda _game, event: told.append(event))
        await asking.offer(host.game, 0, "draw")
        await asking.decline(host.game, 0, "draw")
        assert host.game.table.offers == ()
        assert [event for event in told if isinstance(event, Declined)] == []
        await asking.offer(host.game, 0, "draw")
        await asking.decline(host.game, 1, "draw")
        assert Declined("draw", 1) in told

    with_hall(scenario)


def test_a_takeback_needs_the_opponents_consent(at_site, guest_at):
    async def scenario(address, _site):
        ann, bob = await two(guest_at, address)
        await ann.play(3)
        await ann.say(type="offer", what="takeback")
        await bob.until(lambda s: s["offers"])
        assert bob.state["ply"] == 1
        await bob.say(type="accept", what="takeback")
        assert (await ann.until(lambda s: s["ply"] == 0))["moves"] == []

    at_site(scenario)


def test_a_rematch_swaps_sides_and_keeps_the_score(at_site, guest_at):
    async def scenario(address, _site):
        ann, bob = await two(guest_at, address)
        await bob.say(type="resign")
        await ann.over()
        await ann.say(type="offer", what="rematch")
        await bob.until(lambda s: s["offers"])
        await bob.say(type="accept", what="rematch")
        following = await ann.told("rematch")
        assert (await bob.told("rematch"))["id"] == following["id"]
        ann = await guest_at(address).join(following["id"], ann.token)
        state = await ann.until(lambda s: s)
        assert (state["you"], state["score"], state["status"]) == (1, [0, 1], "playing")

    at_site(scenario)


def test_a_player_who_runs_out_of_time_loses_at_once(at_site, guest_at):
    async def scenario(address, site):
        ann, bob = await two(guest_at, address, timeControl={"initialSeconds": 10, "incrementSeconds": 0})
        clock = {"left": [10_000, 10_000], "running": None, "initial": 10_000, "increment": 0, "overtime": None}
        assert ann.state["clock"] == clock
        await ann.play(3)
        state = await bob.until(lambda s: s["ply"] == 1)
        assert state["clock"]["running"] == 1
        await ann.say(type="give-time", seconds=600)
        assert (await bob.until(lambda s: s["clock"]["left"][1] > 600_000))["clock"]["running"] == 1
        game = site.live_games.games[ann.id]
        now = game.now
        game.now = lambda: now() + 620_000
        game.set_alarms()
        state = await ann.over()
        assert (state["result"], state["clock"]["left"][1]) == ({"winner": 0, "reason": "timeout"}, 0)

    at_site(scenario)


def test_a_game_with_few_moves_can_be_cancelled(at_site, guest_at):
    async def scenario(address, _site):
        ann, bob = await two(guest_at, address)
        assert bob.state["canAbort"]
        await bob.say(type="abort")
        state = await ann.over()
        assert (state["result"], state["score"]) == ({"winner": None, "reason": "aborted"}, [0, 0])
        alone = await guest_at(address).invite()
        answer = await alone.ask("POST", f"/api/games/{alone.id}/abort", {"token": alone.token})
        assert answer["snapshot"]["status"] == "aborted"
        await alone.ask("POST", f"/api/games/{alone.id}/abort", {"token": "guessed"}, 403)

    at_site(scenario)


def test_only_its_player_sees_an_incomplete_move(at_site, guest_at):
    async def scenario(address, _site):
        config = {"game": "wallgame", "variant": "classic", "boardWidth": 5, "boardHeight": 5}
        ann, bob = await two(guest_at, address, **config)
        await ann.act((await ann.my_turn())["board"]["choices"][0]["action"])
        state = await ann.until(lambda s: s["staged"])
        assert (state["ply"], state["canUndo"], len(state["moves"])) == (1, True, 1)
        watcher = await guest_at(address).join(ann.id)
        state = await watcher.until(lambda s: s)
        assert (state["ply"], state["staged"], state["moves"], state["spectators"]) == (0, 0, [], 1)
        assert bob.state["ply"] == 0
        await ann.say(type="undo")
        assert (await ann.until(lambda s: not s["staged"]))["ply"] == 0

    at_site(scenario)


def test_two_tabs_with_one_seat_play_one_move(at_site, guest_at):
    async def scenario(address, _site):
        ann, _bob = await two(guest_at, address)
        other_tab = await guest_at(address).join(ann.id, ann.token)
        await other_tab.until(lambda s: s)
        await asyncio.gather(ann.act(3, 0), other_tab.act(2, 0))
        for tab in (ann, other_tab):
            await tab.until(lambda s: s["ply"] == 1)
        refused = None
        while not refused:
            for tab in (ann, other_tab):
                refused = refused or next((text for text in tab.errors), None)
            if not refused:
                _, pending = await asyncio.wait(
                    [asyncio.create_task(tab.hear()) for tab in (ann, other_tab)], return_when=asyncio.FIRST_COMPLETED
                )
                for task in pending:
                    task.cancel()
        assert refused in ("It is not your turn.", "The position has changed meanwhile. Look at the board again.")
        assert ann.state["ply"] == other_tab.state["ply"] == 1

    at_site(scenario)


def test_chat_reaches_everybody_with_the_senders_name(at_site, guest_at):
    async def scenario(address, _site):
        ann, bob = await two(guest_at, address)
        watcher = await guest_at(address).join(ann.id)
        await watcher.say(type="chat", text="hello <b>")
        for who in (ann, bob, watcher):
            said = await who.told("chat")
            assert (said["text"], said["side"], said["name"][:9]) == ("hello <b>", None, "Spectator")
        await bob.say(type="chat", text="x" * 281)
        await bob.told("error")

    at_site(scenario)


def test_the_chat_limit_of_one_person_does_not_affect_others(at_site, guest_at):
    async def scenario(address, _site):
        ann, bob = await two(guest_at, address)
        for number in range(8):
            await ann.say(type="chat", text=f"line {number}")
        assert "too fast" in (await ann.told("error"))["message"]
        await bob.say(type="chat", text="I go on")
        heard = []
        while not heard or heard[-1] != "I go on":
            heard.append((await bob.told("chat"))["text"])
        assert heard == ["line 0", "line 1", "line 2", "line 3", "line 4", "I go on"]

    at_site(scenario)


def test_lists_of_open_seats_and_live_games_are_updated(at_site, guest_at):
    async def scenario(address, _site):
        ws = address.replace("http", "ws")
        async with connect(ws + "/ws/lobby") as lobby, connect(ws + "/ws/live-games") as live:

            async def next_of(socket):
                async with asyncio.timeout(60):
                    return json.loads(await socket.recv())

            assert await next_of(lobby) == {"type": "games", "games": [], "waiting": []}
            assert await next_of(live) == {"type": "snapshot", "games": []}
            for socket in (lobby, live):
                await socket.send("nonsense ☃")
                await socket.send('{"type":"ping"}')
                assert (await next_of(socket))["type"] == "pong"
            ann = await guest_at(address).invite(side=0, matchType="matchmaking")
            (seat,) = (await next_of(lobby))["games"]
            assert (seat["id"], seat["status"], seat["players"][0]["displayName"]) == (ann.id, "waiting", "Ann")
            assert seat["config"]["game"] == "connect4"
            assert (await ann.ask("GET", "/api/games/matchmaking"))["games"][0]["id"] == ann.id
            await guest_at(address).sit_down(ann.id)
            while (await next_of(lobby))["games"]:
                pass  # the host has come
            upsert = await next_of(live)
            assert (upsert["type"], upsert["game"]["id"], upsert["game"]["status"]) == ("upsert", ann.id, "ready")
            await ann.say(type="resign")
            while (message := await next_of(live))["type"] != "remove":
                pass
            assert message["gameId"] == ann.id

    at_site(scenario)


def test_an_evicted_game_is_not_listed_until_it_is_opened(at_site, guest_at):
    async def scenario(address, site):
        ann, bob = await two(guest_at, address)
        async with connect(address.replace("http", "ws") + "/ws/live-games") as live:

            async def told(kind):
                while True:
                    async with asyncio.timeout(60):
                        message = json.loads(await live.recv())
                    if message["type"] == kind:
                        return message

            assert [game["id"] for game in (await told("snapshot"))["games"]] == [ann.id]
            for person in (ann, bob):
                await person.socket.close()
            game = site.live_games.games[ann.id]
            while game.id in site.live_games.games:  # as soon as both have left and all of it is written
                await site.live_games.evict(game)
                await asyncio.sleep(0.01)
            assert (await told("remove"))["gameId"] == ann.id
            assert (await ann.ask("GET", "/api/games/live"))["games"] == []
            await guest_at(address).join(ann.id, ann.token)
            assert (await told("upsert"))["game"]["id"] == ann.id

    at_site(scenario)


def test_bots_play_each_other_and_can_be_watched(at_site, scripted_bot, guest_at, a_bot):
    async def scenario(address, _site):
        async with scripted_bot(address, bots=[a_bot(), a_bot(botId="d", name="Di")]) as bot:
            watcher = guest_at(address)
            found = await watcher.ask("POST", "/api/bots/match", {"botIds": ["c1:b", "c1:d"], "config": RACK}, 201)
            await watcher.join(found["gameId"])
            state = await watcher.over()
            assert [player["name"] for player in state["players"]] == ["Bo", "Di"]
            assert state["result"]["reason"] in ("four in a line", "board full")
            assert len({request["bgsId"] for request in bot.asked}) == 2

    at_site(scenario)


def test_moves_between_bots_have_a_pause(at_site, scripted_bot, guest_at, a_bot):
    async def scenario(address, _site):
        async with scripted_bot(address, bots=[a_bot()]):
            watcher, clock = guest_at(address), asyncio.get_running_loop().time
            begun = clock()
            found = await watcher.ask("POST", "/api/bots/match", {"botIds": ["c1:b", "c1:b"], "config": RACK}, 201)
            await watcher.join(found["gameId"])
            await watcher.until(lambda state: state["ply"] == 4)
            assert clock() - begun >= 3 * 0.3

    at_site(scenario, stand_s=0.3)


def test_a_bot_answers_a_person_at_once(at_site, scripted_bot, guest_at, a_bot):
    async def scenario(address, _site):
        async with scripted_bot(address, bots=[a_bot()]):
            person = guest_at(address)
            await person.open(side=1)
            await person.until(lambda state: state["ply"] == 1)

    at_site(scenario, stand_s=3600.0)


def test_a_locked_database_delays_a_move_and_loses_nothing(at_site, guest_at, tmp_path):
    url = database_url(tmp_path)

    async def scenario(address, _site):
        ann, bob = await two(guest_at, address)
        lock = sqlite3.connect(url.database, isolation_level=None)
        lock.execute("BEGIN IMMEDIATE")
        await ann.act(3)
        notice = await ann.told("notice")
        assert "slow" in notice["message"]
        assert (ann.state["ply"], bob.state["ply"]) == (0, 0)
        answer = await ann.ask("POST", "/api/games", {"config": RACK}, 503)
        assert "busy" in answer["error"]
        lock.execute("COMMIT")
        lock.close()
        assert (await bob.until(lambda s: s["ply"] == 1))["moves"][0]["text"] == "4"

    at_site(scenario, url=url)


NONSENSE = ["", "{}", "[]", "null", '"', "\x00", '{"type":5}', '{"type":"act","action":1e400,"ply":0}', "[" * 60_000,
            '{"type":"act","action":-1,"ply":0}', '{"type":"chat","text":""}', '{"type":"offer","what":"money"}',
            b"\xff\x00\x80"]  # fmt: skip


@pytest.mark.parametrize("path", ["play", "games"])
def test_invalid_messages_get_an_error_and_change_nothing(at_site, guest_at, path):
    async def scenario(address, _site):
        ann, bob = await two(guest_at, address)
        async with connect(f"{address.replace('http', 'ws')}/ws/{path}/{ann.id}?token={ann.token}") as socket:
            for text in NONSENSE:
                await socket.send(text)
            refusals = 0
            while refusals < len(NONSENSE):
                async with asyncio.timeout(60):
                    refusals += json.loads(await socket.recv())["type"] == "error"
        await ann.play(3)
        assert (await bob.until(lambda s: s["ply"] == 1))["status"] == "playing"

    at_site(scenario)
