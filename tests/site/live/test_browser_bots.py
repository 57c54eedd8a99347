"""Bots that think in the browser of their opponent: the page sends their moves, and the site is the referee."""

import asyncio

import httpx
import pytest

from ludus.games.registry import game
from ludus.protocol.registration import BoardSize, BotConfig, Extent, VariantSupport
from ludus.site.bots.in_browser import BrowserBot, DeviceEngine
from ludus.site.database.database import database_url

BOARDS = {
    ("connect4", "standard", 7, 6): "connect4",
    ("wallgame", "classic", 5, 5): "wallgame:classic:5x5@6x6:ways",
}


class Engines:
    """Engines for boards, as exported folders tell them."""

    def __init__(self, *boards):
        self.listeners = set()
        self.boards = {board: BOARDS[board] for board in boards}

    def of(self, name, variant, width, height, model=""):
        spec = self.boards.get((name, variant, width, height))
        return DeviceEngine(model, spec, f"/engines/{model}/manifest.json") if spec and model == "made" else None

    def add(self, board):
        self.boards[board] = BOARDS[board]
        for hear in self.listeners:
            hear()


def support(*sizes):
    widths, heights = [width for width, _ in sizes], [height for _, height in sizes]
    recommended = [BoardSize(*size) for size in sizes]
    return VariantSupport(Extent(min(widths), max(widths)), Extent(min(heights), max(heights)), recommended)


def bot(name="Pip", board="connect4", **limits):
    variants = {"connect4": {"standard": support((7, 6))}, "wallgame": {"classic": support((5, 5), (6, 6))}}[board]
    config = BotConfig(f"{board}-{name.lower()}", name, None, variants, game=board, max_seconds=20.0)
    return BrowserBot(config, "made", **{"visits": 300, "seconds": 8.0} | limits)


PIP = "browser:connect4-pip"


@pytest.fixture
def with_browser_bots(at_site):
    """Return a function that runs a scenario beside a site whose bots think in browsers."""

    def run(scenario, bots=None, engines=None, **more):
        async def begun(address, site):
            offered = Engines(*BOARDS) if engines is None else engines
            site.bots.in_browser.offer(bots or [bot(), bot(board="wallgame")], offered)
            await scenario(address, site)

        at_site(begun, **more)

    return run


async def answer(guest, *actions):
    """Send a move for the bot, as the page does after its search, and return the next state."""
    state = guest.state
    await guest.say(type="bot-move", ply=state["browserBot"]["ply"], actions=list(actions))
    return await guest.until(lambda s: s["ply"] > state["ply"] or s["status"] == "over")


async def refused(guest):
    """Return why the site refused the last message."""
    return (await guest.told("error"))["message"]


def test_a_whole_game_is_played_by_moves_that_the_page_sends(with_browser_bots, guest_at):
    async def scenario(address, _site):
        guest = await guest_at(address).open(side=0, bot=PIP)
        state = await guest.my_turn()
        told = state["browserBot"]
        assert told == {
            "side": 1,
            "manifest": "/engines/made/manifest.json",
            "visits": 300,
            "seconds": 8.0,
            "temperature": 0.0,
            "position": None,
            "ply": 0,
        }
        assert not state["rated"]
        assert {"value": "thinks in the player's browser, so the game is unrated", "name": "Bot"} in state["terms"]
        for action in (3, 3, 3, 3):
            state = await guest.play(action)
            if state["status"] == "over":
                break
            assert state["thinking"]
            position = state["browserBot"]["position"]
            played = [move["text"] for move in state["moves"]]
            assert position["spec"] == "connect4"
            assert [game("connect4").action_text(None, action) for action in position["actions"]] == played
            await answer(guest, 4)
        state = await guest.until(lambda s: s["status"] == "over" or s["ply"] == 8)
        if state["status"] != "over":
            await guest.say(type="resign")
            state = await guest.over()
        assert state["browserBot"]["position"] is None

    with_browser_bots(scenario)


def test_the_bot_begins_and_every_wrong_message_is_refused_in_words(with_browser_bots, guest_at):
    async def scenario(address, _site):
        guest = await guest_at(address).open(side=1, bot=PIP)
        await guest.until(lambda s: s["browserBot"]["position"] is not None)
        await guest.say(type="bot-move", ply=1, actions=[3])
        assert "position has changed" in await refused(guest)
        await guest.say(type="bot-move", ply=0, actions=[99])
        assert "may not be played" in await refused(guest)
        await guest.say(type="bot-move", ply=0, actions=[3, 3])
        assert "after the end of the move" in await refused(guest)
        await guest.say(type="bot-move", ply=0, actions=[])
        assert guest.state["ply"] == 0
        await guest.say(type="act", ply=0, action=3)
        assert await refused(guest)
        watcher = await guest_at(address).join(guest.id)
        assert (await watcher.until(lambda s: True))["browserBot"] is None
        await watcher.say(type="bot-move", ply=0, actions=[3])
        assert "spectator" in await refused(watcher)
        await answer(guest, 3)
        await guest.say(type="bot-move", ply=1, actions=[3])
        told = await guest.told("error")
        assert told["refused"] == "bot-move"
        assert "position has changed" in told["message"], "it is the person's turn"

    with_browser_bots(scenario)


def test_only_the_opponent_of_such_a_bot_sends_its_moves(at_site, scripted_bot, guest_at):
    async def scenario(address, _site):
        async with scripted_bot(address):
            guest = await guest_at(address).open(side=0)
            await guest.my_turn()
            await guest.say(type="bot-move", ply=0, actions=[3])
            assert "plays its moves itself" in await refused(guest)
        host = await guest_at(address).invite()
        await guest_at(address).sit_down(host.id)
        await host.until(lambda s: s["status"] == "playing")
        await host.say(type="bot-move", ply=0, actions=[3])
        assert "plays its moves itself" in await refused(host)

    at_site(scenario)


def test_of_two_tabs_the_first_plays_and_the_second_is_refused(with_browser_bots, guest_at):
    async def scenario(address, _site):
        guest = await guest_at(address).open(side=1, bot=PIP)
        other = await guest_at(address).join(guest.id, guest.token)
        for tab in (guest, other):
            await tab.until(lambda s: s["browserBot"]["position"] is not None)
        await answer(guest, 3)
        await other.say(type="bot-move", ply=0, actions=[2])
        assert (await other.told("error"))["refused"] == "bot-move"
        assert [move["text"] for move in other.state["moves"]] == [guest.state["moves"][0]["text"]]

    with_browser_bots(scenario)


def test_a_board_inside_a_frame_is_searched_and_played_in_the_engines_numbers(with_browser_bots, guest_at):
    async def scenario(address, _site):
        config = {"game": "wallgame", "variant": "classic", "boardWidth": 5, "boardHeight": 5}
        guest = await guest_at(address).open(side=0, bot="browser:wallgame-pip", config=config)
        state = await guest.my_turn()
        for _ in range(2):
            state = await guest.until(lambda s: s["toPlay"] == 0)
            await guest.act(state["board"]["choices"][0]["action"])
            await guest.until(lambda s, ply=state["ply"]: s["ply"] != ply or s["staged"])
        state = await guest.until(lambda s: s["toPlay"] == 1 and s["browserBot"]["position"])
        framed = game(BOARDS["wallgame", "classic", 5, 5])
        position = framed.start()
        for action in state["browserBot"]["position"]["actions"]:
            position = position.play(action)
        assert position.moves == [move["text"] for move in state["moves"]]
        first = next(action for action in position.actions if position.play(action).to_play == position.to_play)
        half = await move_of(guest, state["ply"], [first])
        assert half["toPlay"] == 1
        assert half["browserBot"]["visits"] == 100, "the rest of a move needs fewer visits"
        position = position.play(first)
        assert half["browserBot"]["position"]["actions"][-1] == first
        done = await move_of(guest, state["ply"] + 1, [position.actions[0]])
        assert done["toPlay"] == 0
        assert done["moves"][-1]["text"] == position.play(position.actions[0]).moves[-1]

    with_browser_bots(scenario)


async def move_of(guest, ply, actions):
    await guest.say(type="bot-move", ply=ply, actions=actions)
    while (message := await guest.hear())["type"] != "state":
        assert message["type"] != "error", message
    return message


def test_only_the_persons_clock_runs(with_browser_bots, guest_at):
    async def scenario(address, _site):
        timing = {"initialSeconds": 10, "incrementSeconds": 3}
        wish = {"botId": PIP, "config": CONNECT4, "hostIsPlayer1": True, "timeControl": timing}
        guest = guest_at(address)
        found = await guest.ask("POST", "/api/bots/play", wish, 201)
        await guest.join(found["gameId"], found["token"])
        state = await guest.play(3)
        assert state["clock"]["running"] is None, "the bot thinks as long as it likes"
        await asyncio.sleep(0.05)
        state = await answer(guest, 3)
        assert state["clock"]["left"][1] == 10_000
        assert state["clock"]["running"] == 0
        state = await guest.play(3)
        assert state["clock"]["left"][0] <= 16_000

    with_browser_bots(scenario)


CONNECT4 = {"game": "connect4", "boardWidth": 7, "boardHeight": 6}


def test_a_takeback_while_it_thinks_makes_its_move_stale(with_browser_bots, guest_at):
    async def scenario(address, _site):
        guest = await guest_at(address).open(side=0, bot=PIP)
        await guest.play(3)
        await guest.say(type="offer", what="takeback")
        await guest.until(lambda s: s["ply"] == 0)
        await guest.say(type="bot-move", ply=1, actions=[3])
        assert "position has changed" in await refused(guest)

    with_browser_bots(scenario)


def test_a_bot_that_owes_its_move_never_forfeits_and_the_game_may_end_without_a_result(with_browser_bots, guest_at):
    async def scenario(address, _site):
        guest = await guest_at(address).open(side=0, bot=PIP)
        await guest.my_turn()
        await guest.say(type="end")
        assert await refused(guest), "it is the person who is to move"
        await guest.play(3)
        await guest.say(type="end")
        state = await guest.over()
        assert state["result"] == {"winner": None, "reason": "aborted"}

    with_browser_bots(scenario)


def test_a_game_goes_on_after_a_restart_when_its_engine_is_ready_again(with_browser_bots, guest_at, tmp_path):
    seat = {}

    async def begin(address, _site):
        guest = await guest_at(address).open(side=0, bot=PIP)
        await guest.play(3)
        seat.update(id=guest.id, token=guest.token)

    engines = Engines()

    async def go_on(address, _site):
        guest = await guest_at(address).join(seat["id"], seat["token"])
        state = await guest.until(lambda s: s["browserBot"])
        assert state["browserBot"]["manifest"] == ""
        await guest.say(type="bot-move", ply=1, actions=[3])
        assert "not ready" in await refused(guest)
        engines.add(("connect4", "standard", 7, 6))
        state = await guest.until(lambda s: s["browserBot"]["manifest"] != "")
        assert state["browserBot"]["position"]["actions"] == [3]
        state = await answer(guest, 3)
        assert state["toPlay"] == 0

    with_browser_bots(begin, url=database_url(tmp_path))
    with_browser_bots(go_on, engines=engines, url=database_url(tmp_path))


def test_a_rematch_and_the_record(with_browser_bots, guest_at, tmp_path):
    async def scenario(address, _site):
        guest = await guest_at(address).open(side=0, bot=PIP)
        await guest.play(3)
        await answer(guest, 3)
        await guest.say(type="resign")
        await guest.over()
        record = await guest.ask("GET", f"/api/archive/{guest.id}")
        assert record["game"]["players"][1]["inBrowser"]
        assert not record["game"]["players"][0]["inBrowser"]
        assert not record["game"]["rated"]
        assert {"value": "thinks in the player's browser, so the game is unrated", "name": "Bot"} in record["terms"]
        await guest.say(type="offer", what="rematch")
        again = (await guest.told("rematch"))["id"]
        await guest.join(again, guest.token)
        state = await guest.until(lambda s: s["browserBot"]["position"] is not None)
        assert state["you"] == 1

    with_browser_bots(scenario, url=database_url(tmp_path))


def test_bots_are_listed_on_the_boards_whose_engines_are_ready(with_browser_bots, guest_at):
    engines = Engines(("connect4", "standard", 7, 6))

    async def scenario(address, site):
        guest = guest_at(address)

        async def listed():
            found = (await guest.ask("GET", "/api/catalogue"))["games"]
            return {entry["spec"]: entry["bots"] for entry in found if entry["bots"]}

        before = await listed()
        (pip,) = before["connect4"]
        assert (pip["id"], pip["inBrowser"], pip["official"], pip["maxSeconds"]) == (PIP, True, True, 20)
        config = {"game": "wallgame", "variant": "classic", "boardWidth": 5, "boardHeight": 5}
        wish = {"botId": "browser:wallgame-pip", "config": config}
        told = await guest.ask("POST", "/api/bots/play", wish, 400)
        assert "in a browser yet" in told["error"]
        engines.add(("wallgame", "classic", 5, 5))
        assert set(await listed()) - set(before) == {"wallgame:classic:5x5"}
        assert (await guest.ask("GET", "/api/bots?game=connect4"))["bots"] == [], "other clients cannot think for it"
        assert site.bots.all() == []
        async with httpx.AsyncClient(base_url=address) as http:
            metrics = (await http.get("/metrics")).text
            assert "ludus_bots 0.0" in metrics
            assert (await http.get("/healthz")).json() == {"status": "ok"}

    with_browser_bots(scenario, engines=engines)


def test_such_a_bot_plays_no_match_and_keeps_its_name(with_browser_bots, scripted_bot, guest_at, a_bot):
    async def scenario(address, _site):
        guest = guest_at(address)
        told = await guest.ask("POST", "/api/bots/match", {"botIds": [PIP, PIP], "config": CONNECT4}, 400)
        assert "only against people" in told["error"]
        wish = {"botId": PIP, "config": CONNECT4, "hostDisplayName": "Pip"}
        assert "a bot" in (await guest.ask("POST", "/api/bots/play", wish, 409))["error"]
        for fault in ({"client_id": "browser"}, {"bots": [a_bot(name="Pip")]}):
            client = scripted_bot(address, **fault)
            async with client:
                assert client.verdict["type"] == "attach-rejected"

    with_browser_bots(scenario)


def test_the_time_that_its_opponent_gives_it_costs_the_site_nothing(with_browser_bots, guest_at):
    async def scenario(address, _site):
        wish = {"botId": PIP, "config": CONNECT4, "hostIsPlayer1": False, "botSeconds": 15}
        for _ in range(4):  # more than games with an engine that thinks longer
            guest = guest_at(address)
            found = await guest.ask("POST", "/api/bots/play", wish, 201)
            await guest.join(found["gameId"], found["token"])
            told = (await guest.until(lambda s: s["browserBot"]["position"]))["browserBot"]
            assert (told["seconds"], told["visits"]) == (15.0, 45_000)
        too_long = await guest.ask("POST", "/api/bots/play", wish | {"botSeconds": 30}, 400)
        assert "The most is 20" in too_long["error"]

    with_browser_bots(scenario)


def test_the_temperature_ends_with_the_moves_of_its_level(with_browser_bots, guest_at):
    async def scenario(address, _site):
        guest = await guest_at(address).open(side=1, bot=PIP)
        temperatures = []
        for _ in range(2):
            state = await guest.until(lambda s: s["browserBot"]["position"] is not None)
            temperatures.append(state["browserBot"]["temperature"])
            await answer(guest, 3)
            await guest.act(2)
            await guest.until(lambda s, ply=state["ply"]: s["ply"] > ply + 1)
        assert temperatures == [0.5, 0.0]

    with_browser_bots(scenario, bots=[bot(temperature=0.5, moves=2)])


def test_an_abandoned_game_is_lost_by_the_person(with_browser_bots, guest_at, tmp_path):
    async def scenario(address, site):
        guest = await guest_at(address).open(side=0, bot=PIP)
        await guest.play(3)
        await answer(guest, 3)
        await guest.play(3)
        await guest.socket.close()
        game = site.live_games.games[guest.id]
        while game.visited:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)
        await site.evictor.sweep()
        assert (game.table.result.winner, game.table.result.reason) == (1, "abandoned")

    with_browser_bots(scenario, abandoned_after_s=0.01)
