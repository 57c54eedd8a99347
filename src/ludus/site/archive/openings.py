"""The opening explorer: which moves the site's finished games played in a position, with results and sample games."""

from collections.abc import Callable
from itertools import chain, zip_longest
from typing import Any, NamedTuple

from sqlalchemy import Connection, func, select

from ludus.games.game import Position
from ludus.site.archive.opening_index import MAX_MOVES, UNCOUNTED, position_key, written
from ludus.site.archive.search import summaries
from ludus.site.database.database import Database
from ludus.site.database.schema import games, openings
from ludus.site.messages.archive import GameSummary, OpeningGame, OpeningMove, OpeningsView
from ludus.site.messages.study import StudyLine
from ludus.site.safety.fair_queue import FairQueue, WorkerThreads
from ludus.site.study.study import position_of

MOST_MOVES = 40
"""Moves in an answer: those of the most games."""
MOST_SAMPLES = 8
SEARCHES = 2
"""Searches that run at a time."""


class OpeningBook:
    """Answers requests for the openings of the site's games."""

    def __init__(self, database: Callable[[], Database], threads: WorkerThreads, files: tuple[str, ...] = ()) -> None:
        """Create the book.

        Args:
            database: raises Unavailable before the site is open.
            threads: the worker threads that apply the rules.
            files: paths of game files that the site offers besides the built-in games.
        """
        self._database, self._threads, self._files = database, threads, files
        self._queue = FairQueue(SEARCHES)

    async def look_up(self, line: StudyLine, address: str) -> OpeningsView:
        """Return the moves of the site's games in the position at the end of a line.

        In the middle of a move, they are its moves that begin in this way, each without its beginning.

        Raises:
            BadInput: the line is illegal.
            Unavailable: the database does not answer, or too many requests are waiting.
        """
        asked = await self._threads.do(address, lambda: _asked(line))
        async with self._queue.place(address):
            found = await self._database().read(lambda connection: _found(connection, asked, self._files))
        return await self._threads.do(address, lambda: _told(asked, found))


class _Asked(NamedTuple):
    """A position to look up."""

    begin: Position
    """The position before the move that is being made."""
    key: bytes
    """Of the position `begin`."""
    staged: tuple[int, ...]
    """The actions of that move so far."""


class _Found(NamedTuple):
    """What the database has about a position."""

    games: int
    rows: list[Any]
    samples: list[GameSummary]
    complete: bool


def _asked(line: StudyLine) -> _Asked:
    begin, staged = position_of(line), list[int]()
    while begin.parent and begin.action is not None and begin.parent.to_play == begin.to_play:
        staged.insert(0, begin.action)
        begin = begin.parent
    return _Asked(begin, position_key(begin), tuple(staged))


def _found(connection: Connection, asked: _Asked, files: tuple[str, ...]) -> _Found:
    here = openings.c.position == asked.key
    if asked.staged:
        here &= openings.c.actions.startswith(f"{written(asked.staged)}.", autoescape=True)
    total = connection.execute(select(func.sum(openings.c.games)).where(here)).scalar_one()
    order = openings.c.games.desc(), openings.c.actions
    rows = connection.execute(select(openings).where(here).order_by(*order).limit(MOST_MOVES)).all()
    newest = chain(*zip_longest(*(row.samples for row in rows)))  # one of each move, then a second one of each
    ids = [*dict.fromkeys(game_id for game_id in newest if game_id)][:MOST_SAMPLES]
    complete = connection.execute(select(games.c.id).where(UNCOUNTED).limit(1)).first() is None
    return _Found(total or 0, [*rows], summaries(connection, ids, files), complete)


def _told(asked: _Asked, found: _Found) -> OpeningsView:
    begin, played = asked.begin, dict[str, str]()
    moves = list[OpeningMove]()
    for row in found.rows:
        actions = [*map(int, row.actions.split("."))]
        text = begin.game.move_text(begin.state, actions)
        played |= dict.fromkeys(row.samples, text)
        rating = round(row.rating_sum / row.rated) if row.rated else None
        wins = row.wins_0, row.wins_1
        moves.append(OpeningMove(text, actions[len(asked.staged) :], row.games, wins, rating))
    samples = [OpeningGame(played[each.id or ""], each) for each in found.samples]
    return OpeningsView(found.games, begin.to_play, moves, samples, MAX_MOVES, found.complete)
