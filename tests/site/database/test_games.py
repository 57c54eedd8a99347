"""Games are loaded from the database as they were saved."""

import asyncio
import contextlib
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import insert, select

from ludus.errors import BadInput, Unavailable
from ludus.site.database import database
from ludus.site.database.database import Database, database_url
from ludus.site.database.games import GameStore
from ludus.site.database.people_schema import accounts
from ludus.site.database.records import Evaluation, GameProgress, MoveRow, SeatRow
from ludus.site.database.schema import seats
from ludus.site.people.upkeep import hide_names


def test_a_game_comes_back_as_it_was_written(with_games, a_game, a_move, noon):
    async def scenario(games, _database):
        unlimited = a_game(
            "g2", initial_ms=None, increment_ms=None, moves=[a_move(0), MoveRow("---", None, None, noon)]
        )
        for game in (a_game(), unlimited):
            await games.add(game)
            assert await games.load(game.id) == game
        assert await games.load("none") is None

    with_games(scenario)


def test_moves_are_stored_and_deleted(with_games, a_game, a_move, noon):
    async def scenario(games, _database):
        await games.add(a_game())
        later = GameProgress("playing", 5, 6, noon, [3], [["draw", 0]], to_play=1)
        await games.save("g1", later, 0, [a_move(1), a_move(2), a_move(3)])
        for ply in range(4):
            await games.note_evaluation("g1", ply, Evaluation(ply / 10, "x"))
        await games.save("g1", later, 1, [a_move(9, "Mb2")])
        found = await games.load("g1")
        assert found.moves == [a_move(1), a_move(9, "Mb2")]
        assert found.progress == later
        assert await games.evaluations("g1") == {0: Evaluation(0.0, "x"), 1: Evaluation(0.1, "x")}
        await games.note_evaluation("g1", 1, Evaluation(-1.0, "", 3.5))
        assert (await games.evaluations("g1"))[1] == Evaluation(-1.0, "", 3.5)

    with_games(scenario)


def test_saving_twice_equals_saving_once(with_games, a_game, a_move, noon):
    async def scenario(games, _database):
        await games.add(a_game())
        for _ in range(2):
            await games.save("g1", GameProgress("over", winner=1, reason="resignation", ended_at=noon), 0, [a_move(1)])
        assert (await games.load("g1")).moves == [a_move(1)]
        assert await games.unfinished() == []

    with_games(scenario)


def test_the_player_of_a_seat_is_stored(with_games, a_game, noon):
    account = {"id": "u1", "name": "Bob", "folded": "bob", "password_hash": "", "settings": {}, "made_at": noon}

    async def scenario(games, opened):
        await opened.write(lambda connection: connection.execute(insert(accounts).values(**account)))
        waiting = a_game(
            seats=(SeatRow("person", "Ann", host=True), SeatRow("open", "")), progress=GameProgress("waiting")
        )
        await games.add(waiting)
        guest = SeatRow("person", "Bob", token_hash="cd" * 32, account_id="u1")
        await games.take_seat("g1", 1, guest, GameProgress("playing"))
        (found,) = await games.unfinished()
        assert (found.seats[1], found.progress.status) == (guest, "playing")

    with_games(scenario)


def test_a_player_whose_account_is_deleted_meanwhile_leaves_no_name(with_games, a_game):
    async def scenario(games, _database):
        await games.add(a_game())
        await games.take_seat("g1", 1, SeatRow("person", "Cid", account_id="ended"), GameProgress("playing"))
        sitting = (await games.load("g1")).seats
        assert [(seat.name, seat.account_id) for seat in sitting] == [("Ann", None), ("(deleted)", None)]

    with_games(scenario)


def test_the_name_in_lower_case_follows_the_name(with_games, a_game):
    async def scenario(games, database):
        async def names():
            query = select(seats.c.name, seats.c.lower_name).order_by(seats.c.side)
            return [tuple(row) for row in await database.read(lambda connection: connection.execute(query).all())]

        await games.add(a_game())
        assert await names() == [("Ann", "ann"), ("Bo", "bo")]
        await games.take_seat("g1", 1, SeatRow("person", "\u00c9loise"), GameProgress("playing"))
        assert (await names())[1] == ("\u00c9loise", "\u00e9loise")
        await games.take_seat("g1", 0, SeatRow("person", "Cid", account_id="ended"), GameProgress("over"))
        assert (await names())[0] == ("(deleted)", "(deleted)")
        await database.write(lambda connection: hide_names(connection, "g1"), 5.0)
        assert (await names())[1] == ("(deleted)", "(deleted)")

    with_games(scenario)


def test_the_last_heartbeat_is_returned(with_games, noon):
    async def scenario(games, _database):
        assert await games.last_beat() is None
        for second in range(3):
            await games.beat(noon + timedelta(seconds=second))
        assert await games.last_beat() == noon + timedelta(seconds=2)

    with_games(scenario)


def test_adding_an_existing_game_fails_and_changes_nothing(with_games, a_game):
    async def scenario(games, _database):
        await games.add(a_game())
        with pytest.raises(Exception, match=r"UNIQUE|unique"):
            await games.add(a_game())
        await games.add(a_game("g2"))
        assert len(await games.unfinished()) == 2

    with_games(scenario)


SAVES = st.lists(st.tuples(st.integers(0, 6), st.lists(st.sampled_from(["a", "b", "c"]), max_size=3)), max_size=8)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(saves=SAVES)
def test_saves_agree_with_a_model_in_memory(tmp_path_factory, saves, a_game, a_move):

    async def run():
        database = await Database.open(database_url(tmp_path_factory.mktemp("data")))
        games = GameStore(database)
        await games.add(a_game())
        model = []
        for kept, texts in saves:
            kept = min(kept, len(model))
            model = model[:kept] + texts
            await games.save(
                "g1", GameProgress("playing"), kept, [a_move(kept + i, text) for i, text in enumerate(texts)]
            )
            found = await games.load("g1")
            assert [move.text for move in found.moves] == model
        await database.close()

    asyncio.run(run())


def test_a_closed_database_refuses_writes(with_games, a_game):
    async def scenario(games, database):
        await games.add(a_game())
        assert await database.close()
        with pytest.raises(Unavailable, match="stopping"):
            await games.add(a_game("g2"))

    with_games(scenario)


def test_a_query_that_gets_no_connection_in_time_is_refused(with_games, monkeypatch):
    monkeypatch.setattr(database, "READ_WAIT_S", 0.05)

    async def scenario(games, opened):
        async with contextlib.AsyncExitStack() as stack:
            for _ in range(5):
                await stack.enter_async_context(opened._reader._engine.connect())
            with pytest.raises(Unavailable, match="cannot be read at present; try again"):
                await games.load("g1")

    with_games(scenario)


@pytest.mark.full
@pytest.mark.parametrize("fresh_url", ["postgresql"], indirect=True)  # a file has no line
def test_readers_and_the_writer_have_the_same_timeout_for_dead_connections(with_games):
    def limits(connection):
        told = connection.info.get_parameters()
        return {name: told.get(name) for name in ("connect_timeout", "tcp_user_timeout")}

    async def scenario(_games, opened):
        reading, writing = [
            await ask(lambda connection: limits(connection.connection.driver_connection))
            for ask in (opened.read, opened.write)
        ]
        assert reading == writing == {"connect_timeout": "5", "tcp_user_timeout": "5000"}

    with_games(scenario)


def test_text_that_a_database_cannot_store_is_bad_input(with_games, fresh_url, a_game):
    keeps = fresh_url.get_backend_name() == "sqlite"

    async def scenario(games, _database):
        for ask in (lambda: games.load("g\0"), lambda: games.add(a_game("g\0"))):
            with contextlib.nullcontext() if keeps else pytest.raises(BadInput, match="such as NUL; remove it"):
                await ask()

    with_games(scenario)
