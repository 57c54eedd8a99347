"""The index of openings: how often each move was played in each of the first positions of the site's finished games.

A game is counted once, after its end; games from before the index are counted in the background.  Counts are sums, so
the size of the index grows with the number of different openings and not with the number of games.
"""

import asyncio
import contextlib
import hashlib
import logging
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, bindparam, insert, or_, select, update

from ludus.errors import LudusError
from ludus.games.calls import pause
from ludus.games.game import Position
from ludus.games.registry import about
from ludus.protocol.spec import setting_of
from ludus.site.catalogue.specs import spec_stored, table_game
from ludus.site.database.database import Database
from ludus.site.database.people_schema import rated_games
from ludus.site.database.schema import FINISHED, games, moves, openings
from ludus.site.safety.fair_queue import WorkerThreads

_log = logging.getLogger(__name__)

MAX_MOVES = 24
"""The number of moves of a game, of both sides, that are counted."""
NUM_SAMPLES = 4
"""Ids of games kept with a move: the latest ones."""
BATCH = 10
"""Games that are counted in one transaction."""
PAUSE = 3.0
"""Rest after a batch, as a multiple of its time, so that old games do not slow the site."""
LEAST_PAUSE_S, RETRY_S = 0.2, 30.0
LOOK_AGAIN_S = 60.0
"""Longest time between two looks for games to count: ratings of the last game may come late."""
RATING_WAIT = timedelta(minutes=10)
"""How long a rated game waits until its ratings are known."""
UNCOUNTED = games.c.ended_at.is_not(None) & games.c.in_openings.is_(None)
"""The SQL condition for finished games that are not counted yet; that of the index `ix_games_uncounted`."""
ADDRESS = "openings"
"""The key of this work among the addresses that worker threads serve in turn."""


class OpeningStep(NamedTuple):
    """A move from a position of a game."""

    position: bytes
    """See `position_key`."""
    actions: str
    """See `written`."""
    player: int


def position_key(position: Position) -> bytes:
    """Return 16 bytes that are equal for positions with the same board and the same choices, however they came about.

    A position is what people see of it: the pieces, the walls, the side to move, its legal actions, and what can be
    switched when it is set up by hand, such as castling rights.
    """
    setting, board, editor = setting_of(position.game.name), position.describe(), about(position.game.name).editor
    told = (
        *(setting.game, setting.variant, board.rows, board.columns, position.to_play),
        sorted((piece.at, piece.shape, -1 if piece.owner is None else piece.owner) for piece in board.pieces),
        sorted((edge.at, edge.side, -1 if edge.owner is None else edge.owner) for edge in board.edges),
        sorted(position.actions),
        sorted(editor.kit(position, board).on) if editor else [],
    )
    return hashlib.sha256(msgspec.msgpack.encode(told)).digest()[:16]


def written(actions: Sequence[int]) -> str:
    """Return a move as the index stores it: its actions by number, which never change."""
    return ".".join(map(str, actions))


def steps_of(first: Position, texts: Sequence[str]) -> list[OpeningStep]:
    """Return the first moves of a game, each position once.

    Args:
        first: the first position.
        texts: the game's moves in notation.

    Raises:
        LudusError: a move is illegal.
    """
    found: dict[bytes, OpeningStep] = {}
    position = first
    for text in texts[:MAX_MOVES]:
        pause.get()()
        key, after = position_key(position), position.play(text)
        history = after.history[len(position.history) :]
        actions = written([each.action for each in history if each.action is not None])
        found.setdefault(key, OpeningStep(key, actions, position.to_play))
        position = after
    return [*found.values()]


class _EndedGame(NamedTuple):
    """A finished game that is not counted yet."""

    id: str
    spec: str
    setup: Any
    winner: int | None
    ratings: tuple[float | None, float | None]
    moves: list[str]


class OpeningIndex:
    """Counts the finished games of a site one after the other, in the background."""

    def __init__(self, threads: WorkerThreads, files: tuple[str, ...] = ()) -> None:
        """Create an index that counts nothing yet.

        Args:
            threads: the worker threads that replay games.
            files: paths of game files that the site offers besides the built-in games.
        """
        self._threads, self._files = threads, files
        self._wake = asyncio.Event()

    def wake(self) -> None:
        """Look for games to count: one has ended."""
        self._wake.set()

    async def run(self, database: Database) -> None:
        """Count the games that are not counted yet, then each game after its end, until cancelled."""
        while True:
            self._wake.clear()
            began = time.monotonic()
            try:
                counted = await self.count(database)
            except LudusError as error:
                _log.info("The counting of openings is postponed: %s", error)
                await asyncio.sleep(RETRY_S)
                continue
            except Exception:  # noqa: BLE001 - one error must not end the counting
                _log.exception("The counting of openings failed.")
                await asyncio.sleep(RETRY_S)
                continue
            await asyncio.sleep(max(LEAST_PAUSE_S, PAUSE * (time.monotonic() - began)))
            if not counted:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(LOOK_AGAIN_S):
                        await self._wake.wait()

    async def count(self, database: Database) -> int:
        """Count some of the games that are not counted yet, the oldest first, and return their number.

        Raises:
            Unavailable: the database does not answer, or too many requests are waiting.
        """
        waiting = await database.read(_waiting)
        steps = [await self._threads.do(ADDRESS, lambda game=game: self._steps(game)) for game in waiting]
        if waiting:
            await database.write(lambda connection: _add(connection, list(zip(waiting, steps, strict=True))))
        return len(waiting)

    def _steps(self, game: _EndedGame) -> list[OpeningStep]:
        try:
            return steps_of(table_game(spec_stored(game.spec, self._files)).start(game.setup), game.moves)
        except Exception as error:  # noqa: BLE001 - one game must not end the counting
            _log.info("Game %s is not counted among the openings: %s", game.id, error)
            return []


def _waiting(connection: Connection) -> list[_EndedGame]:
    ratings = rated_games.c.before_0, rated_games.c.before_1
    is_rated = or_(
        games.c.rated.is_(False),
        rated_games.c.game_id.is_not(None),
        games.c.ended_at < datetime.now(UTC) - RATING_WAIT,
    )
    query = (
        select(games.c.id, games.c.spec, games.c.setup, games.c.winner, FINISHED.label("is_found"), *ratings)
        .outerjoin(rated_games)
        .where(UNCOUNTED, is_rated)
        .order_by(games.c.ended_at)
        .limit(BATCH)
    )
    rows = connection.execute(query).all()
    played: dict[str, list[str]] = {row.id: [] for row in rows}
    found = [row.id for row in rows if row.is_found]  # the others are marked as counted, without a move
    of_moves = select(moves.c.game_id, moves.c.text).where(moves.c.game_id.in_(found), moves.c.ply < MAX_MOVES)
    for move in connection.execute(of_moves.order_by(moves.c.game_id, moves.c.ply)):
        played[move.game_id].append(move.text)
    return [
        _EndedGame(row.id, row.spec, row.setup, row.winner, (row.before_0, row.before_1), played[row.id])
        for row in rows
    ]


_COUNTED = ("games", "wins_0", "wins_1", "rated", "rating_sum", "samples")


class _Count(msgspec.Struct):
    """A row of the index while it changes."""

    games: int = 0
    wins_0: int = 0
    wins_1: int = 0
    rated: int = 0
    rating_sum: float = 0.0
    samples: list[str] = []
    is_new: bool = True

    def add(self, game: _EndedGame, player: int) -> None:
        """Count a game in which `player` played this move."""
        self.games += 1
        self.wins_0 += game.winner == 0
        self.wins_1 += game.winner == 1
        rating = game.ratings[player]
        if rating is not None:
            self.rated += 1
            self.rating_sum += rating
        self.samples = [game.id, *self.samples][:NUM_SAMPLES]


def _add(connection: Connection, counted: list[tuple[_EndedGame, list[OpeningStep]]]) -> None:
    """Add games to the index, unless they are counted already: after an interruption this may run again."""
    mark = update(games).values(in_openings=True)
    new = [
        (game, step)
        for game, steps in counted
        if connection.execute(mark.where(games.c.id == game.id, games.c.in_openings.is_(None))).rowcount
        for step in steps
    ]
    known = select(openings).where(openings.c.position.in_({step.position for _, step in new}))
    counts = {
        (row["position"], row["actions"]): _Count(**{name: row[name] for name in _COUNTED}, is_new=False)
        for row in connection.execute(known).mappings()
    }
    changed = dict[tuple[bytes, str], _Count]()
    for game, step in new:
        key = step.position, step.actions
        changed[key] = counts.setdefault(key, _Count())
        changed[key].add(game, step.player)
    where = (openings.c.position == bindparam("at")) & (openings.c.actions == bindparam("by"))
    for statement, is_new, names in (
        (insert(openings), True, ("position", "actions")),
        (update(openings).where(where), False, ("at", "by")),
    ):
        rows = [
            dict(zip(names, key, strict=True)) | {name: getattr(each, name) for name in _COUNTED}
            for key, each in changed.items()
            if each.is_new is is_new
        ]
        if rows:
            connection.execute(statement, rows)
