"""Glicko-2 ratings of puzzles and of the people who solve them: each first try is a game between the two.

An account's rating stays with the account.  A guest's belongs to the device's signed cookie, and is deleted after a
time without tries, or when there are too many guests.
"""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, Table, delete, func, insert, select, update

from ludus.rating.glicko import Glicko, rated
from ludus.site.database.database import Database
from ludus.site.database.puzzle_schema import GUEST, account_key, puzzle_ratings, puzzle_tries, solvers
from ludus.site.people.accounts import PATIENCE_S
from ludus.site.people.keys import LASTING_DAYS
from ludus.site.people.visitors import Visitor
from ludus.site.safety.secrets import hash_of

PERIOD_DAYS = 30.0
"""Length of Glicko-2's rating period for solvers; puzzles do not change in a pause."""
MAX_GUESTS = 20_000
"""Most ratings of guests."""
EVICTED = 1000
"""Number of guests' ratings that are deleted when there are too many."""


def solver_of(visitor: Visitor) -> str:
    """Return the key of a visitor's ratings; that of a guest is a hash, so that the database does not name devices."""
    return account_key(visitor.account_id) if visitor.account_id else GUEST + hash_of(visitor.guest_id)


class Solving(NamedTuple):
    """A person's rating for the puzzles of one game."""

    rating: Glicko = Glicko()
    tries: int = 0
    solved: int = 0


class SolvingChange(NamedTuple):
    """What a first try changed."""

    before: Solving
    after: Solving
    puzzle: Glicko
    """The puzzle's rating after the try."""


class PuzzleRatings:
    """The ratings of a site's puzzles, and of the people who solve them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, solver: str, game: str) -> Solving:
        """Return a person's rating for the puzzles of a game; raises Unavailable."""
        row = await self._database.read(lambda connection: _solver(connection, solver, game))
        return _solving(row, datetime.now(UTC))

    async def tried(self, solver: str, game: str, puzzle: str, first: Glicko, *, right: bool) -> SolvingChange | None:
        """Rate a try; raises Unavailable.

        Args:
            solver: a result of `solver_of`.
            game: the puzzle's game.
            puzzle: the puzzle's name.
            first: the rating of a puzzle that nobody has tried.
            right: whether the solver found a right move.

        Returns:
            The change; None if the person has tried this puzzle before, which then counts no more.
        """
        now = datetime.now(UTC)

        def work(connection: Connection) -> SolvingChange | None:
            mine = (puzzle_tries.c.solver == solver) & (puzzle_tries.c.puzzle == puzzle)
            if connection.execute(select(puzzle_tries.c.puzzle).where(mine)).first():
                return None
            row, other = _solver(connection, solver, game), _puzzle(connection, puzzle)
            if row is None and solver.startswith(GUEST):
                _make_room(connection, now)
            before, opponent = _solving(row, now), _glicko(other) if other else first
            score = float(right)
            after = Solving(
                rated(before.rating, [(opponent, score)], 0.0), before.tries + 1, before.solved + int(right)
            )
            changed = rated(opponent, [(before.rating, 1.0 - score)], 0.0)
            connection.execute(
                insert(puzzle_tries).values(solver=solver, puzzle=puzzle, game=game, right=right, at=now)
            )
            values = _values(after.rating, after.tries, after.solved)
            _store(connection, solvers, row, {"solver": solver, "game": game}, values | {"changed_at": now})
            tries, solved = (other.tries, other.solved) if other else (0, 0)
            counted = _values(changed, tries + 1, solved + int(right))
            _store(connection, puzzle_ratings, other, {"puzzle": puzzle}, counted | {"game": game})
            return SolvingChange(before, after, changed)

        return await self._database.write(work, PATIENCE_S)

    async def next_of(self, solver: str, game: str, firsts: Mapping[str, Glicko], besides: str = "") -> str | None:
        """Return the puzzle whose rating is nearest to a person's, of those that the person has not tried.

        Args:
            solver: a result of `solver_of`.
            game: the game.
            firsts: the game's puzzles by name, with their ratings before the first try.
            besides: a puzzle that is not wanted.

        Returns:
            Its name; one that was tried before if there is no other; None if there is no puzzle at all.
        """

        def work(connection: Connection) -> tuple[Solving, dict[str, float], set[str]]:
            known = select(puzzle_ratings.c.puzzle, puzzle_ratings.c.rating).where(puzzle_ratings.c.game == game)
            mine = (puzzle_tries.c.solver == solver) & (puzzle_tries.c.game == game)
            tried = connection.execute(select(puzzle_tries.c.puzzle).where(mine)).scalars()
            found = {row.puzzle: row.rating for row in connection.execute(known)}
            return _solving(_solver(connection, solver, game), datetime.now(UTC)), found, set(tried)

        mine, ratings, tried = await self._database.read(work)
        wanted = [name for name in firsts if name != besides]

        def order(name: str) -> tuple[bool, float, str]:
            return name in tried, abs(ratings.get(name, firsts[name].rating) - mine.rating.rating), name

        return min(wanted, key=order, default=besides or None)


def _make_room(connection: Connection, now: datetime) -> None:
    """Delete guests whose cookies have expired, and those with the oldest tries if there are too many."""
    guest, last = solvers.c.solver.startswith(GUEST), func.max(solvers.c.changed_at)
    guests = select(solvers.c.solver).where(guest).group_by(solvers.c.solver)
    count = connection.execute(select(func.count()).select_from(solvers).where(guest)).scalar_one()
    expired = guests.having(last < now - timedelta(days=LASTING_DAYS))
    which = guests.order_by(last) if count >= MAX_GUESTS else expired
    gone = connection.execute(which.limit(EVICTED)).scalars().all()
    for table in (puzzle_tries, solvers) if gone else ():
        connection.execute(delete(table).where(table.c.solver.in_(gone)))


def _solver(connection: Connection, solver: str, game: str) -> Row[Any] | None:
    query = select(solvers).where((solvers.c.solver == solver) & (solvers.c.game == game))
    return connection.execute(query).one_or_none()


def _puzzle(connection: Connection, puzzle: str) -> Row[Any] | None:
    return connection.execute(select(puzzle_ratings).where(puzzle_ratings.c.puzzle == puzzle)).one_or_none()


def _solving(row: Row[Any] | None, now: datetime) -> Solving:
    """Return a person's rating, with the deviation increased for the time since the last try."""
    if row is None:
        return Solving()
    pause_days = max(0.0, (now - row.changed_at).total_seconds() / 86_400)
    return Solving(rated(_glicko(row), [], pause_days / PERIOD_DAYS), row.tries, row.solved)


def _glicko(row: Row[Any]) -> Glicko:
    return Glicko(row.rating, row.deviation, row.volatility)


def _values(rating: Glicko, tries: int, solved: int) -> dict[str, Any]:
    return {
        "rating": rating.rating,
        "deviation": rating.deviation,
        "volatility": rating.volatility,
        "tries": tries,
        "solved": solved,
    }


def _store(
    connection: Connection, table: Table, there: Row[Any] | None, key: dict[str, str], values: dict[str, Any]
) -> None:
    """Write a row: change the one that is there, or insert it."""
    if there is None:
        connection.execute(insert(table).values(**key, **values))
        return
    change = update(table).values(**values)
    for column, value in key.items():
        change = change.where(table.c[column] == value)
    connection.execute(change)
