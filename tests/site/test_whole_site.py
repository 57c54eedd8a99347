"""People play, look at finished games and use accounts on either database, also after a restart."""

import httpx

BOARD = {"game": "tictactoe", "boardWidth": 3, "boardHeight": 3}
PASSWORD = "correct horse"


async def ask(http, method, path, status=200, **body):
    answer = await http.request(method, path, json=body or None)
    assert answer.status_code == status, answer.text
    return answer.json()


async def a_rated_game(address, guest_at, host, joiner):
    """Let two accounts play; the host wins in the first row."""
    config = BOARD | {"rated": True, "timeControl": {"initialSeconds": 600, "incrementSeconds": 0}}
    opened = await ask(host, "POST", "/api/games", 201, config=config, hostIsPlayer1=True)
    seat = await ask(joiner, "POST", f"/api/games/{opened['gameId']}/join")
    first = await guest_at(address).join(opened["gameId"], opened["hostToken"])
    second = await guest_at(address).join(opened["gameId"], seat["token"])
    for player, action in ((first, 0), (second, 3), (first, 1), (second, 4), (first, 2)):
        await player.play(action)
    assert (await second.over())["result"]["winner"] == 0
    return opened["gameId"]


def test_games_archive_and_accounts_outlast_a_restart(at_site, guest_at, scripted_bot, fresh_url, tmp_path):
    kept = {}

    async def before(address, _site):
        async with (
            scripted_bot(address),
            httpx.AsyncClient(base_url=address) as ann,
            httpx.AsyncClient(base_url=address) as bob,
        ):
            for browser, name in ((ann, "Ann"), (bob, "Bob")):
                await ask(browser, "POST", "/api/account", 201, name=name, password=PASSWORD)
            await ask(ann, "PUT", "/api/account/settings", theme="dark")
            kept["rated"] = await a_rated_game(address, guest_at, ann, bob)
            unfinished = await guest_at(address).open(side=0)
            await unfinished.play(3)
            await unfinished.until(lambda s: s["ply"] == 2)
            kept["unfinished"] = unfinished.state
            kept["token"] = unfinished.token
            lost = await guest_at(address).open(side=1)
            await lost.my_turn()
            await lost.say(type="resign")
            await lost.over()
            kept["lost"] = lost.id
            kept["archive"] = await ask(ann, "GET", "/api/archive")
            kept["replay"] = await ask(ann, "GET", f"/api/archive/{lost.id}")
            kept["text"] = (await ann.get(f"/api/archive/{lost.id}/text")).text
            kept["session"] = dict(ann.cookies)
        assert {game["id"] for game in kept["archive"]["games"]} == {kept["rated"], kept["lost"]}

    async def after(address, site):
        async with (
            scripted_bot(address),
            httpx.AsyncClient(base_url=address, cookies=kept["session"]) as ann,
            httpx.AsyncClient(base_url=address) as elsewhere,
        ):
            me = await ask(ann, "GET", "/api/me")
            assert (me["name"], me["account"], me["settings"]) == ("Ann", True, {"theme": "dark"})
            assert [(rating["game"], rating["wins"]) for rating in me["ratings"]] == [("tictactoe:standard", 1)]
            assert (await ask(elsewhere, "POST", "/api/session", name="ann", password=PASSWORD))["account"]
            assert await ask(ann, "GET", "/api/archive") == kept["archive"]
            assert await ask(ann, "GET", f"/api/archive/{kept['lost']}") == kept["replay"]
            assert (await ann.get(f"/api/archive/{kept['lost']}/text")).text == kept["text"]
            for query, wanted in (("player=ann", "rated"), ("game=connect4", "lost"), ("result=second", "none")):
                found = await ask(ann, "GET", f"/api/archive?{query}")
                assert (
                    [game["id"] for game in found["games"]] == [kept[wanted]] if wanted in kept else not found["games"]
                )
            state = kept["unfinished"]
            again = await guest_at(address).join(state["id"], kept["token"])
            found = await again.until(lambda s: s["status"] == "playing")
            for field in ("moves", "ply", "evaluations", "board"):
                assert found[field] == state[field]
            await again.play(2)
            assert (await again.until(lambda s: s["ply"] == 4))["moves"][:2] == state["moves"]
            ready = await ann.get("/readyz")
            assert ready.status_code == 200
            assert site.services.database().stalled_s == 0

    at_site(before, url=fresh_url, folder=tmp_path)
    at_site(after, url=fresh_url, folder=tmp_path)
