"""Fixtures: rows of games, and a function that runs a test on each kind of database."""

import asyncio
from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from ludus.site.database.database import Database
from ludus.site.database.games import GameStore
from ludus.site.database.records import GameProgress, GameRow, MoveRow, SeatRow

NOON = datetime(2026, 11, 21, 12, 0, 0, 123456, tzinfo=UTC)


def game_row(name="g1", **changes):
    seats = (SeatRow("person", "Ann", host=True, token_hash="ab" * 32), SeatRow("bot", "Bo", bot="c:b"))
    row = GameRow(
        name, "wallgame:classic:5x5", "wallgame", "classic", 5, 5, {"pawns": [1, 2]}, "bot", False, 180_000, 2_000,
        None, name, 0.5, 1.0, NOON, seats, GameProgress("playing", 180_000, 180_000, None),
    )  # fmt: skip
    return msgspec.structs.replace(row, **changes)


def move_row(number, text="Ca1"):
    return MoveRow(text, 1000 * number, 2000 * number, NOON + timedelta(seconds=number))


@pytest.fixture
def noon():
    return NOON


@pytest.fixture
def a_game():
    return game_row


@pytest.fixture
def a_move():
    return move_row


@pytest.fixture
def with_games(fresh_url):
    """Return a function that runs `async def (games, database)` on an empty database."""

    def run(scenario):
        async def opened():
            database = await Database.open(fresh_url)
            try:
                async with asyncio.timeout(240):
                    await scenario(GameStore(database), database)
            finally:
                await database.close()

        asyncio.run(opened())

    return run
