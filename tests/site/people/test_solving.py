"""Puzzles and people rate each other: the first try of each person at each puzzle is a game between the two."""

import asyncio
from datetime import UTC, datetime, timedelta

import httpx
import pytest
from sqlalchemy import func, select, update

from ludus import lines
from ludus.games.puzzle import Mined, Mining, Puzzle
from ludus.rating.glicko import Glicko, rated
from ludus.site.app import create_app
from ludus.site.database.database import Database
from ludus.site.database.puzzle_schema import GUEST, puzzle_tries, solvers
from ludus.site.people import solving
from ludus.site.people.solving import PuzzleRatings, Solving
from ludus.site.routes import puzzles as routes
from ludus.site.safety.limits import RateLimit
from ludus.site.safety.settings import SafetySettings
from ludus.site.settings import SiteSettings
from ludus.site.study.puzzles import Shelf, first_rating

HARD, EASY = Glicko(1900.0), Glicko(1200.0)
ME, OTHER = "account:me", GUEST + "other"


@pytest.fixture
def with_ratings(fresh_url):
    def run(scenario):
        async def whole():
            database = await Database.open(fresh_url)
            try:
                await scenario(PuzzleRatings(database), database)
            finally:
                await database.close()

        asyncio.run(whole())

    return run


def test_a_try_is_a_game_between_person_and_puzzle(with_ratings):
    async def scenario(ratings, _database):
        change = await ratings.tried(ME, "go", "p", HARD, right=True)
        assert change.before == Solving()
        assert change.after.rating == rated(Glicko(), [(HARD, 1.0)], 0.0)
        assert change.puzzle == rated(HARD, [(Glicko(), 0.0)], 0.0)
        assert (change.after.tries, change.after.solved) == (1, 1)
        kept = await ratings.of(ME, "go")
        assert kept.rating.rating == pytest.approx(change.after.rating.rating)
        assert await ratings.of(ME, "chess") == Solving()
        again = await ratings.tried(OTHER, "go", "p", HARD, right=False)
        assert again.puzzle.rating > change.puzzle.rating  # from its rating after the first try
        assert (again.after.tries, again.after.solved) == (1, 0)

    with_ratings(scenario)


def test_only_the_first_try_counts(with_ratings):
    async def scenario(ratings, _database):
        first = await ratings.tried(ME, "go", "p", HARD, right=False)
        assert await ratings.tried(ME, "go", "p", HARD, right=True) is None
        kept = await ratings.of(ME, "go")
        assert (kept.tries, kept.solved) == (1, 0)
        assert kept.rating.rating == pytest.approx(first.after.rating.rating)

    with_ratings(scenario)


def test_the_next_puzzle_is_the_nearest_untried_one(with_ratings):
    async def scenario(ratings, _database):
        firsts = {"easy": EASY, "middle": Glicko(1520.0), "hard": HARD}
        assert await ratings.next_of(ME, "go", firsts) == "middle"
        assert await ratings.next_of(ME, "go", firsts, "middle") == "easy"
        await ratings.tried(ME, "go", "middle", firsts["middle"], right=True)
        assert (await ratings.of(ME, "go")).rating.rating > 1600
        assert await ratings.next_of(ME, "go", firsts) == "hard"
        assert await ratings.next_of(OTHER, "go", firsts) in ("middle", "easy")
        for name in ("easy", "hard"):
            await ratings.tried(ME, "go", name, firsts[name], right=True)
        assert await ratings.next_of(ME, "go", firsts, "hard") == "middle"  # all tried: the nearest other one
        assert await ratings.next_of(ME, "go", {"hard": HARD}, "hard") == "hard"

    with_ratings(scenario)


def test_a_pause_makes_a_rating_less_certain(with_ratings):
    async def scenario(ratings, database):
        for number in range(12):
            await ratings.tried(ME, "go", str(number), EASY, right=number % 2 == 0)
        before = (await ratings.of(ME, "go")).rating
        old = update(solvers).values(changed_at=datetime.now(UTC) - timedelta(days=3000))
        await database.write(lambda connection: connection.execute(old))
        after = (await ratings.of(ME, "go")).rating
        assert after.deviation > before.deviation
        assert after.rating == before.rating

    with_ratings(scenario)


def test_the_number_of_guests_is_bounded(with_ratings, monkeypatch):
    async def scenario(ratings, database):
        monkeypatch.setattr(solving, "MAX_GUESTS", 5)
        monkeypatch.setattr(solving, "EVICTED", 2)
        await ratings.tried(ME, "go", "p", EASY, right=True)
        for number in range(12):
            await ratings.tried(f"{GUEST}{number}", "go", "p", EASY, right=True)

        def counts(connection):
            return [
                connection.execute(select(func.count()).select_from(each)).scalar_one()
                for each in (solvers, puzzle_tries)
            ]

        assert all(count <= 6 for count in await database.read(counts))
        assert (await ratings.of(ME, "go")).tries == 1
        assert (await ratings.of(f"{GUEST}0", "go")).tries == 0
        assert (await ratings.of(f"{GUEST}11", "go")).tries == 1

    with_ratings(scenario)


def test_guests_whose_cookies_have_expired_are_forgotten(with_ratings):
    async def scenario(ratings, database):
        await ratings.tried(f"{GUEST}old", "go", "p", EASY, right=True)
        old = update(solvers).values(changed_at=datetime.now(UTC) - timedelta(days=solving.LASTING_DAYS + 1))
        await database.write(lambda connection: connection.execute(old))
        await ratings.tried(f"{GUEST}new", "go", "p", EASY, right=True)
        assert (await ratings.of(f"{GUEST}old", "go")).tries == 0

    with_ratings(scenario)


def fork(prior):
    """Return a puzzle of Tic-tac-toe that c3 solves."""
    position = {"id": "0123456789ab", "spec": "tictactoe", "setup": None, "moves": ["a1", "b1", "a3", "a2"]}
    answer = {"right": ["c3"], "played": "b3", "wrong": "b2", "proof": 1, "line": ["c3", "b3", "b2"], "prior": prior}
    values = {"value": 1.0, "value_played": 0.0, "value_wrong": 0.1, "value_short": 0.2}
    return Puzzle(**position, **answer, **values)


@pytest.fixture
def shelf(tmp_path):
    path = tmp_path / "file"
    lines.begin(path, Mining("tiny", "0123", 30, 2000, 0.7, 0.5, 0.15, 3))
    lines.append(path, Mined("g", 9, {}, [fork(0.15)]))
    return Shelf([path])


def visit(shelf, scenario, safety=None):
    async def whole():
        app = create_app(SiteSettings(safety=safety or SafetySettings()), shelf=shelf)
        transport = httpx.ASGITransport(app=app, client=("192.0.2.7", 1))
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=transport, base_url="http://site") as client,
        ):
            await scenario(client)

    asyncio.run(whole())


PLACE = "/api/puzzles/tictactoe/0123456789ab"


def test_a_guest_s_rating_lives_with_the_device(shelf):
    async def scenario(client):
        before = (await client.get("/api/puzzles/tictactoe")).json()
        assert before == {"id": "0123456789ab", "you": {"rating": 1500, "deviation": 350, "tries": 0, "solved": 0}}
        tried = (await client.post(PLACE, json={"actions": [2]})).json()
        assert tried["right"] is True
        assert tried["rated"]["change"] > 0
        assert tried["rated"]["you"]["rating"] == 1500 + tried["rated"]["change"]
        assert (await client.get("/api/puzzles/tictactoe")).json()["you"] == tried["rated"]["you"]
        assert (await client.post(PLACE, json={"actions": [2]})).json()["rated"] is None
        client.cookies.clear()
        assert (await client.get("/api/puzzles/tictactoe")).json()["you"]["tries"] == 0

    visit(shelf, scenario)


def test_asking_for_the_solution_first_counts_as_a_wrong_try(shelf):
    async def scenario(client):
        told = (await client.post(f"{PLACE}/given-up")).json()["rated"]
        assert told["change"] < 0
        assert (told["you"]["tries"], told["you"]["solved"]) == (1, 0)
        assert (await client.post(PLACE, json={"actions": [2]})).json()["rated"] is None

    visit(shelf, scenario)


def test_an_account_keeps_its_rating_until_it_ends(shelf):
    async def scenario(client):
        credentials = {"name": "Ida", "password": "a long password"}
        assert (await client.post("/api/account", json=credentials)).status_code == 201
        rated = (await client.post(PLACE, json={"actions": [2]})).json()["rated"]
        client.cookies.clear()
        await client.post("/api/session", json=credentials)
        assert (await client.get("/api/puzzles/tictactoe")).json()["you"] == rated["you"]
        ended = await client.request("DELETE", "/api/account", json={"password": credentials["password"]})
        assert ended.status_code == 200

    visit(shelf, scenario)


def test_too_many_tries_of_one_address_are_refused(shelf, monkeypatch):
    monkeypatch.setattr(routes, "TRIES", RateLimit(most=2, per_s=0.001))

    async def scenario(client):
        answers = [await client.post(PLACE, json={"actions": [2]}) for _ in range(3)]
        assert [answer.status_code for answer in answers] == [200, 200, 429]
        assert "Too many answers to puzzles came from your address" in answers[-1].json()["error"]

    visit(shelf, scenario)


def test_the_puzzle_of_the_day_changes_at_midnight(shelf):
    async def scenario(client):
        told = (await client.get("/api/puzzle-of-the-day")).json()
        assert told["day"] == datetime.now(UTC).date().isoformat()
        assert told["puzzle"]["id"] == "0123456789ab"
        assert (await client.get("/api/puzzles/nothing")).status_code == 404

    visit(shelf, scenario)


def test_unlikely_moves_make_hard_puzzles():
    ratings = [first_rating(fork(prior)).rating for prior in (0.9, 0.3, 0.15, 0.01, 0.0)]
    assert ratings == sorted(ratings)
    assert ratings[2] == 1500
    assert ratings[-1] == 2400
