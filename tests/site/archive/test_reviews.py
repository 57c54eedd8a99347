"""Reviews of finished games: the judge evaluates every position, addresses take turns, and the result is kept."""

import asyncio
import json
from datetime import UTC, datetime

import httpx
import pytest
from msgspec.structs import replace

from ludus.protocol.bgs import SessionConfig
from ludus.site.archive import review_store, reviewer, reviews
from ludus.site.archive.review_store import KeptReview, ReviewStore
from ludus.site.database.games import GameStore
from ludus.site.database.records import GameProgress, GameRow, MoveRow, SeatRow
from ludus.site.messages.review import Review, ReviewedPosition

TOKEN = "official"
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
WON = list("4455667")  # four in the bottom row of the first player
TEXT = '[Game "connect4"]\n[Player1 "Ann"]\n[Player2 "Bob"]\n[Result "1-0"]\n\n1. 4 4 2. 5 5 3. 6 6 4. 7 1-0\n'


def connect4_game(name, moves, status="over"):
    """Return the row of a game of Connect Four between two people."""
    progress = GameProgress(status, winner=0, reason="resignation", ended_at=NOON if status == "over" else None)
    seats = SeatRow("person", "Ann", host=True), SeatRow("person", "Bob")
    return GameRow(
        id=name, spec="connect4", game="connect4", variant="standard", width=7, height=6, setup=None, kind="friend",
        rated=False, initial_ms=None, increment_ms=None, preset=None, series=name, score_0=0.0, score_1=0.0,
        created_at=NOON, seats=seats, progress=progress, moves=[MoveRow(text, None, None, NOON) for text in moves],
    )  # fmt: skip


class Viewer:
    """A client that follows reviews; with a forwarded address, one from another machine."""

    def __init__(self, http):
        self.http = http

    async def begin(self, status=200, **wish):
        answer = await self.http.post("/api/reviews", json=wish)
        assert answer.status_code == status, answer.text
        return answer.json()

    async def state(self, key):
        return (await self.http.get(f"/api/reviews/{key}")).json()

    async def until(self, key, condition):
        while not condition(state := await self.state(key)):
            await asyncio.sleep(0.01)
        return state

    async def done(self, key):
        return await self.until(key, lambda state: state["state"] == "done")

    async def review(self, key):
        answer = await self.http.get(f"/api/reviews/{key}/positions")
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def link(self, text=TEXT):
        return (await self.http.post("/api/read", json={"text": text})).json()["link"]

    async def key(self, link):
        return (await self.http.post("/api/shared", json={"link": link})).json()["review"]


@pytest.fixture
def at_reviews(at_site, scripted_bot, a_bot, fresh_url):
    """Return a function that runs `async def (viewer, bot, site)` at a site with games and a judge, on one database."""

    def run(scenario, games=(), script=None, **options):
        async def with_bot(address, site):
            store = GameStore(site.services.database())
            for game in games:
                await store.add(game)
            async with (
                scripted_bot(address, bots=[a_bot(officialToken=TOKEN)], script=script) as bot,
                httpx.AsyncClient(base_url=address, timeout=60) as http,
            ):
                await scenario(Viewer(http), bot, site)

        at_site(with_bot, url=fresh_url, official_token=TOKEN, **options)

    return run


def num_asked(bot):
    return sum(question["type"] == "evaluate_position" for question in bot.asked)


def test_a_finished_game_is_reviewed_once_for_all_viewers_and_for_its_link(at_reviews):
    async def scenario(viewer, bot, _site):
        replay = (await viewer.http.get("/api/archive/g1")).json()
        key = replay["review"]
        assert (await viewer.state(key))["state"] == "none"
        assert (await viewer.http.get(f"/api/reviews/{key}/positions")).status_code == 404
        begun = await viewer.begin(game="g1")
        assert (begun["key"], begun["yours"]) == (key, True)
        kept = (await viewer.done(key))["kept"]
        assert kept["judge"] == "Bo"
        review = await viewer.review(key)
        assert review["judge"] == "Bo"
        positions = review["positions"]
        assert len(positions) == len(WON) + 1
        assert all(position["bestMove"] in "1234567" for position in positions[:-1])
        assert all(position["lines"][0]["moves"] for position in positions[:-1])
        last = positions[-1]
        assert (last["evaluation"], last["bestMove"], last["proved"]) == (1.0, "", True)
        asked = num_asked(bot)
        assert (await viewer.begin(game="g1"))["state"] == "done"
        link = (await viewer.http.get("/api/archive/g1/link")).json()["link"]
        assert await viewer.key(link) == key, "a link with the same moves has the same review"
        assert (await viewer.begin(link=link))["state"] == "done"
        assert await viewer.key(await viewer.link()) == key, "and so has a pasted record of other players"
        assert num_asked(bot) == asked

    at_reviews(scenario, [connect4_game("g1", WON)])


def test_a_review_stays_after_a_restart(at_reviews):
    async def first(viewer, _bot, _site):
        link = await viewer.link()
        await viewer.begin(link=link)
        await viewer.done(await viewer.key(link))

    async def second(viewer, bot, _site):
        key = await viewer.key(await viewer.link())
        assert (await viewer.state(key))["state"] == "done"
        assert len((await viewer.review(key))["positions"]) == len(WON) + 1
        assert num_asked(bot) == 0

    at_reviews(first)
    at_reviews(second)


def test_a_review_that_was_being_made_goes_on_after_a_restart_with_what_it_has_found(at_reviews):
    held = Held()

    def hold(bot, request):
        return held(bot, request) if request.get("expectedPly") == 3 else bot.think(request)

    async def first(viewer, _bot, _site):
        key = (await viewer.begin(link=await viewer.link()))["key"]
        await viewer.until(key, lambda state: state["done"] == 3)

    async def second(viewer, bot, _site):
        key = await viewer.key(await viewer.link())
        assert (await viewer.state(key))["state"] != "none", "it goes on by itself"
        await viewer.done(key)
        assert len((await viewer.review(key))["positions"]) == len(WON) + 1
        asked = [question["expectedPly"] for question in bot.asked if question["type"] == "evaluate_position"]
        assert asked == [3, 4, 5, 6]

    async def third(viewer, bot, site):
        key = await viewer.key(await viewer.link())
        assert (await viewer.state(key))["state"] == "done"
        assert await ReviewStore(site.services.database()).begun() == []
        assert num_asked(bot) == 0

    at_reviews(first, script=hold)
    at_reviews(second)
    at_reviews(third)


def test_a_review_that_was_cancelled_or_has_failed_does_not_go_on_after_a_restart(at_reviews, monkeypatch):
    monkeypatch.setattr(reviewer, "PAUSE_S", 0.01)

    def fail(bot, request):
        if request["type"] != "evaluate_position":
            return bot.think(request)
        answer = {"type": "evaluate_response", "bgsId": request["bgsId"], "ply": 0, "bestMove": "", "evaluation": 0}
        return json.dumps(answer | {"success": False, "error": "broken"})

    async def failing(viewer, _bot, site):
        key = (await viewer.begin(game="g1"))["key"]
        await viewer.until(key, lambda state: state["trouble"])
        assert await ReviewStore(site.services.database()).begun() == []

    async def cancelling(viewer, _bot, site):
        key = (await viewer.begin(game="g2"))["key"]
        await viewer.until(key, lambda state: state["state"] == "running")
        assert [begun.key for begun in await ReviewStore(site.services.database()).begun()] == [key]
        await viewer.http.delete(f"/api/reviews/{key}")
        assert await ReviewStore(site.services.database()).begun() == []

    at_reviews(failing, [connect4_game("g1", WON)], fail)
    at_reviews(cancelling, [connect4_game("g2", WON)], Held())


def test_the_positions_around_a_swing_are_searched_once_more_and_longer(at_reviews):
    quick = [0.0, 0.0, 0.0, 0.9, 0.95, 0.95, 0.95]  # by number of moves; the last one then wins
    searched = []

    def script(bot, request):
        if request["type"] != "evaluate_position":
            return bot.think(request)
        ply, visits = request["expectedPly"], request["visits"]
        searched.append((ply, visits))
        answer = {"type": "evaluate_response", "bgsId": request["bgsId"], "ply": ply, "bestMove": "4", "error": ""}
        value = 0.7 if visits > 800 else quick[ply]
        return json.dumps(
            answer | {"success": True, "evaluation": value, "visits": visits, "proved": False, "lines": []}
        )

    async def scenario(viewer, _bot, _site):
        key = (await viewer.begin(game="g1"))["key"]
        await viewer.done(key)
        review = await viewer.review(key)
        assert searched == [*((ply, 400) for ply in range(7)), (2, 3200), (3, 3200)]
        assert [each["evaluation"] for each in review["positions"]] == [0.0, 0.0, 0.7, 0.7, 0.95, 0.95, 0.95, 1.0]
        assert review["visits"] == 400

    at_reviews(scenario, [connect4_game("g1", WON)], script)


def test_what_cannot_be_reviewed_is_refused_in_a_sentence(at_site):
    async def scenario(address, site):
        await GameStore(site.services.database()).add(connect4_game("running", WON[:3], "playing"))
        await GameStore(site.services.database()).add(connect4_game("long", WON))
        async with httpx.AsyncClient(base_url=address, timeout=60) as http:
            viewer = Viewer(http)
            assert "no finished game" in (await viewer.begin(404, game="running"))["error"]
            assert "either" in (await viewer.begin(400))["error"]
            assert "either" in (await viewer.begin(400, game="g1", link="x"))["error"]
            assert "damaged" in (await viewer.begin(400, link="x"))["error"]
            assert "No engine" in (await viewer.begin(503, game="long"))["error"]
            assert (await http.get("/api/reviews/a.b")).status_code == 404

    at_site(scenario)


def test_a_game_with_too_many_moves_is_refused(at_reviews, monkeypatch):
    monkeypatch.setattr(reviews, "MAX_MOVES", 6)

    async def scenario(viewer, _bot, _site):
        assert "up to 6" in (await viewer.begin(400, game="g1"))["error"]

    at_reviews(scenario, [connect4_game("g1", WON)])


class Held:
    """A script that holds back the answers to evaluations until `let_go`."""

    def __init__(self):
        self.requests, self.is_open = [], False

    def __call__(self, bot, request):
        if request["type"] == "evaluate_position" and not self.is_open:
            self.requests.append(request)
            return None
        return bot.think(request)

    async def let_go(self, bot):
        self.is_open = True
        for request in self.requests:
            await bot.send(bot.think(request))


def test_reviews_wait_in_a_queue_that_shows_their_places_and_can_be_left(at_reviews, monkeypatch):
    games = [connect4_game(f"g{number}", WON[:number]) for number in range(1, 7)]
    held = Held()
    monkeypatch.setattr(reviews, "MAX_OWN", 3)

    async def scenario(viewer, bot, site):
        site.reviews._queue = reviews.FairQueue(1, max_own=3)
        keys = [(await viewer.begin(game=game.id))["key"] for game in games[:4]]
        await viewer.until(keys[0], lambda state: state["state"] == "running")
        states = [await viewer.until(key, lambda state: state["state"] == "waiting") for key in keys[1:]]
        assert [state["ahead"] for state in states] == [0, 1, 2]
        assert "are waiting" in (await viewer.begin(503, game="g5"))["error"]
        gone = (await viewer.http.delete(f"/api/reviews/{keys[1]}")).json()
        assert gone["state"] == "none"
        assert (await viewer.state(keys[3]))["ahead"] == 1
        await viewer.begin(game="g5")
        assert (await viewer.http.delete(f"/api/reviews/{keys[0]}")).json()["state"] == "none", "also while it runs"
        await viewer.until(keys[2], lambda state: state["state"] == "running")
        await held.let_go(bot)
        for key in keys[2:]:
            await viewer.done(key)

    at_reviews(scenario, games, held)


def test_the_values_so_far_are_shown_while_a_review_runs(at_reviews):
    held = Held()

    def script(bot, request):
        return held(bot, request) if request.get("expectedPly") == 3 else bot.think(request)

    async def scenario(viewer, bot, _site):
        key = (await viewer.begin(game="g1"))["key"]
        state = await viewer.until(key, lambda state: state["done"] == 3)
        assert (state["state"], state["total"], len(state["evaluations"])) == ("running", len(WON) + 1, 3)
        await held.let_go(bot)
        await viewer.done(key)

    at_reviews(scenario, [connect4_game("g1", WON)], script)


def test_a_judge_that_fails_is_reported_and_the_review_can_be_begun_again(at_reviews, monkeypatch):
    monkeypatch.setattr(reviewer, "PAUSE_S", 0.01)
    failing = [True]

    def script(bot, request):
        if request["type"] == "evaluate_position" and failing[0]:
            answer = {"type": "evaluate_response", "bgsId": request["bgsId"], "ply": 0, "bestMove": "", "evaluation": 0}
            return json.dumps(answer | {"success": False, "error": "broken"})
        return bot.think(request)

    async def scenario(viewer, _bot, _site):
        key = (await viewer.begin(game="g1"))["key"]
        state = await viewer.until(key, lambda state: state["trouble"])
        assert (state["state"], "reported an error" in state["trouble"]) == ("none", True)
        failing[0] = False
        assert (await viewer.begin(game="g1"))["trouble"] == ""
        assert (await viewer.done(key))["trouble"] == ""

    at_reviews(scenario, [connect4_game("g1", WON)], script)


def test_a_stronger_judge_may_review_again_and_a_weaker_one_may_not(at_reviews, scripted_bot, a_bot):
    async def scenario(viewer, bot, _site):
        key = (await viewer.begin(game="g1"))["key"]
        assert (await viewer.done(key))["better"] == ""
        strong = a_bot(officialToken=TOKEN, name="Strong", listOrder=5)
        async with scripted_bot(bot.address, client_id="c2", bots=[strong]):
            assert (await viewer.state(key))["better"] == "Strong"
            await viewer.begin(game="g1")
            state = await viewer.until(key, lambda state: state["kept"]["judge"] == "Strong")
            assert (state["state"], state["better"]) == ("done", "")
        while (await viewer.state(key))["better"]:
            await asyncio.sleep(0.01)
        assert (await viewer.begin(game="g1"))["kept"]["judge"] == "Strong"

    at_reviews(scenario, [connect4_game("g1", WON)])


def test_reviews_of_games_that_the_site_does_not_store_are_limited(at_reviews, monkeypatch):
    monkeypatch.setattr(review_store, "MAX_UNBOUND", 2)
    board = SessionConfig("standard", 7, 6, None, "connect4")

    async def scenario(_viewer, _bot, site):
        store = ReviewStore(site.services.database())
        review = Review("Bo", 100, NOON.timestamp(), [ReviewedPosition(0.5, "4")])
        await store.save("bound", KeptReview(review, board, [1]), is_bound=True)
        for number in range(4):
            later = replace(review, made=NOON.timestamp() + 1 + number)
            await store.save(f"link{number}", KeptReview(later, board, [1]), is_bound=False)
        kept = [key for key in ("bound", *(f"link{n}" for n in range(4))) if await store.load(key)]
        assert kept == ["bound", "link2", "link3"]
        await store.save("bound", KeptReview(replace(review, judge="Other"), board, [2]), is_bound=False)
        await store.save("link4", KeptReview(review, board, [1]), is_bound=False)
        found = await store.load("bound")
        assert found.judge == "Other", "a game of the site keeps its review, also when a link asked for the next one"
        assert (await store.made("bound")).rank == [2]

    at_reviews(scenario)
