"""Every rated game changes the ratings exactly once, in both databases."""

import asyncio
from datetime import timedelta

import pytest
from argon2 import PasswordHasher
from sqlalchemy import insert, select

from ludus.rating.glicko import Glicko, rated
from ludus.site.database.people_schema import DELETED, rated_games, ratings
from ludus.site.database.records import GameProgress, SeatRow
from ludus.site.people import ratings as ratings_module
from ludus.site.people.accounts import Accounts
from ludus.site.people.passwords import Passwords
from ludus.site.people.ratings import PROVISIONAL, Ratings

HASHER = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


@pytest.fixture
def a_rated_game(a_game, a_move, noon):
    def made(name, first, second, winner=0, reason="capture", moves=4, day=0, **changes):
        end = GameProgress("over", winner=winner, reason=reason, ended_at=noon + timedelta(days=day))
        seats = SeatRow("person", "A", account_id=first), SeatRow("person", "B", account_id=second)
        rows = [a_move(number) for number in range(moves)]
        return a_game(
            name, **{"rated": True, "progress": end, "seats": seats, "moves": rows, "initial_ms": None} | changes
        )

    return made


async def accounts_of(database, *names):
    accounts = Accounts(database, Passwords(HASHER))
    return [(await accounts.register(name, "correct horse")).id for name in names]


def test_a_finished_rated_game_is_rated_once(with_games, a_rated_game):
    async def scenario(games, database):
        ann, bo = await accounts_of(database, "Ann", "Bob")
        await games.add(a_rated_game("g1", ann, bo))
        both = [Ratings(database), Ratings(database)]
        await asyncio.gather(*(each.settle() for each in both for _ in range(3)))
        (mine,), (other,) = [await both[0].of(each) for each in (ann, bo)]
        expected = rated(Glicko(), [(Glicko(), 1.0)], 0.0)
        assert (mine.rating, mine.deviation) == (round(expected.rating), round(expected.deviation))
        assert (mine.game, mine.time_class, mine.wins, mine.losses, mine.games) == (
            "wallgame:classic",
            "unlimited",
            1,
            0,
            1,
        )
        assert (other.wins, other.losses, mine.rating + other.rating) == (0, 1, 3000)
        assert mine.provisional
        (event,) = await database.read(lambda connection: connection.execute(select(rated_games)).all())
        assert (event.before_0, event.before_1) == (1500.0, 1500.0)
        assert event.after_0 > 1500 > event.after_1
        assert await both[0].settle() == 0

    with_games(scenario)


@pytest.mark.parametrize(
    "changes",
    [
        {"rated": False},
        {"reason": "aborted", "winner": None},
        {"moves": 1},
        {"progress": GameProgress("playing")},
    ],
)
def test_games_without_result_do_not_change_ratings(with_games, a_rated_game, changes):
    async def scenario(games, database):
        ann, bo = await accounts_of(database, "Ann", "Bob")
        await games.add(a_rated_game("g1", ann, bo, **changes))
        await games.add(a_rated_game("g2", ann, None))
        await games.add(a_rated_game("g3", ann, ann))
        await Ratings(database).settle()
        assert await Ratings(database).of(ann) == []

    with_games(scenario)


def test_ratings_are_separate_by_game_and_time_class(with_games, a_rated_game):
    async def scenario(games, database):
        ann, bo = await accounts_of(database, "Ann", "Bob")
        await games.add(a_rated_game("g1", ann, bo, winner=None, reason="draw-agreement"))
        await games.add(a_rated_game("g2", bo, ann, initial_ms=60_000, increment_ms=0, day=1))
        await games.add(a_rated_game("g3", bo, ann, game="chess", variant="standard", day=2))
        await Ratings(database).settle()
        found = {(each.game, each.time_class): each for each in await Ratings(database).of(ann)}
        assert set(found) == {
            ("wallgame:classic", "unlimited"),
            ("wallgame:classic", "bullet"),
            ("chess:standard", "unlimited"),
        }
        assert found["wallgame:classic", "unlimited"].draws == 1
        assert found["wallgame:classic", "unlimited"].rating == 1500
        assert found["wallgame:classic", "bullet"].losses == 1

    with_games(scenario)


def test_rating_lists_have_pages_and_leave_out_provisional_ratings(with_games, noon, monkeypatch):
    monkeypatch.setattr(ratings_module, "PAGE", 2)

    async def scenario(_games, database):
        names = ("Ann", "Bob", "Eve", "Joe")
        known = [(1700.0, 60.0), (1900.0, 300.0), (1650.0, PROVISIONAL), (1800.0, 50.0)]  # Bob's is provisional
        counts = {"volatility": 0.06, "wins": 1, "draws": 2, "losses": 3, "changed_at": noon}
        rows = [
            {"account_id": account, "game": "wallgame:classic", "time_class": "blitz", "rating": rating} | counts
            | {"deviation": deviation}
            for account, (rating, deviation) in zip(await accounts_of(database, *names), known, strict=True)
        ]  # fmt: skip
        await database.write(lambda connection: connection.execute(insert(ratings), rows).rowcount)
        board, pages = Ratings(database), []
        for page in (1, 2, 3):
            best, count = await board.best("wallgame:classic", "blitz", page)
            assert count == 2
            pages.append([(each.name, each.rating) for each in best])
        assert pages == [[("Joe", 1800), ("Ann", 1700)], [("Eve", 1650)], []]
        assert await board.best("wallgame:classic", "bullet", 1) == ([], 0)

    with_games(scenario)


def test_an_account_with_more_wins_is_rated_higher(with_games, a_rated_game):
    async def scenario(games, database):
        ann, bo, eve = await accounts_of(database, "Ann", "Bob", "Eve")
        for number in range(24):
            pair = [(ann, bo), (bo, eve), (ann, eve)][number % 3]
            await games.add(a_rated_game(f"g{number}", *pair, day=number / 100))
        board = Ratings(database)
        await board.settle()
        (first,), (second,), (third,) = [await board.of(each) for each in (ann, bo, eve)]
        assert first.rating > second.rating > third.rating

    with_games(scenario)


def test_a_long_pause_makes_a_rating_less_certain(with_games, a_rated_game):
    async def scenario(games, database):
        ann, bo = await accounts_of(database, "Ann", "Bob")
        for number in range(10):
            await games.add(a_rated_game(f"g{number}", ann, bo, winner=number % 2))
        board = Ratings(database)
        await board.settle()
        (soon,) = await board.of(ann)
        await games.add(a_rated_game("late", ann, bo, day=3000))
        await board.settle()
        (later,) = await board.of(ann)
        assert later.deviation > soon.deviation

    with_games(scenario)


def test_games_saved_late_are_rated_when_the_site_starts(with_games, a_rated_game):
    async def scenario(games, database):
        ann, bo = await accounts_of(database, "Ann", "Bob")
        board, minutes = Ratings(database), 1 / 24 / 60
        await games.add(a_rated_game("newest", ann, bo, day=1))
        assert await board.settle() == 1
        await games.add(a_rated_game("a little late", ann, bo, day=1 - 59 * minutes))
        await games.add(a_rated_game("forgotten", ann, bo, day=1 - 61 * minutes))
        assert await board.settle() == 1
        assert await board.settle() == 0
        assert await Ratings(database).settle() == 1

    with_games(scenario)


def test_a_deleted_account_leaves_its_games_without_a_name(with_games, a_rated_game):
    async def scenario(games, database):
        accounts = Accounts(database, Passwords(HASHER))
        ann, bo = [await accounts.register(name, "correct horse") for name in ("Ann", "Bob")]
        await games.add(a_rated_game("g1", ann.id, bo.id))
        await Ratings(database).settle()
        await accounts.end(ann, await accounts.check(ann, "correct horse"))
        seats = (await games.load("g1")).seats
        assert (seats[0].name, seats[0].account_id) == (DELETED, None)
        assert seats[1].account_id == bo.id
        left = await database.read(lambda connection: connection.execute(select(ratings)).all())
        assert [row.account_id for row in left] == [bo.id]
        await games.add(a_rated_game("rematch", bo.id, ann.id))
        seats = (await games.load("rematch")).seats
        assert (seats[0].name, seats[0].account_id) == ("A", bo.id)
        assert (seats[1].name, seats[1].account_id) == (DELETED, None)

    with_games(scenario)


def test_rating_lists_are_sorted_by_length(with_games, noon):
    async def scenario(_games, database):
        counts = {"volatility": 0.06, "wins": 1, "draws": 0, "losses": 0, "changed_at": noon}
        known = [
            ("ann", "go:standard", "blitz", 60),
            ("ann", "chess:960", "rapid", 60),
            ("bob", "chess:960", "rapid", PROVISIONAL),
            ("bob", "chess:960", "bullet", PROVISIONAL + 1),
        ]
        ids = dict(zip(("ann", "bob"), await accounts_of(database, "ann", "bob"), strict=True))
        rows = [
            {"account_id": ids[name], "game": game, "time_class": speed, "rating": 1500.0, "deviation": deviation}
            | counts
            for name, game, speed, deviation in known
        ]
        await database.write(lambda connection: connection.execute(insert(ratings), rows).rowcount)
        lists = await Ratings(database).lists()
        assert [(each.game, each.time_class, each.people) for each in lists] == [
            ("chess:960", "rapid", 2),
            ("go:standard", "blitz", 1),
        ]

    with_games(scenario)


def test_the_history_of_a_rating_has_a_point_for_each_rated_game_of_its_kind(with_games, a_rated_game, monkeypatch):
    async def scenario(games, database):
        ann, bo = await accounts_of(database, "Ann", "Bob")
        for day, winner in enumerate((0, 0, 1)):
            await games.add(a_rated_game(f"g{day}", ann, bo, winner=winner, day=day))
        await games.add(a_rated_game("blitz", ann, bo, initial_ms=60_000, increment_ms=0, day=4))
        await games.add(a_rated_game("chess", ann, bo, game="chess", variant="standard", day=5))
        board = Ratings(database)
        await board.settle()
        points = await board.history(ann, "wallgame:classic", "unlimited")
        assert [point.game_id for point in points] == ["g0", "g1", "g2"]
        assert points[0].rating > 1500 < points[1].rating > points[2].rating
        (now,) = [
            each for each in await board.of(ann) if (each.game, each.time_class) == ("wallgame:classic", "unlimited")
        ]
        assert points[-1].rating == now.rating
        others = await board.history(bo, "wallgame:classic", "unlimited")
        assert [point.rating < 1500 for point in others[:2]] == [True, True]
        assert [point.game_id for point in await board.history(ann, "wallgame:classic", "bullet")] == ["blitz"]
        assert await board.history(ann, "go:standard", "unlimited") == []
        monkeypatch.setattr(ratings_module, "MOST_POINTS", 2)
        assert [point.game_id for point in await board.history(ann, "wallgame:classic", "unlimited")] == ["g1", "g2"]
        (mine, theirs) = await games.rating_changes("g0")
        assert (mine[0], theirs[0]) == (1500.0, 1500.0)
        assert mine[1] > 1500 > theirs[1]
        assert await games.rating_changes("g9") is None

    with_games(scenario)
