"""Glicko-2 ratings of accounts by game and time class; every finished rated game counts exactly once."""

import itertools
import logging
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, case, func, insert, select, update

from ludus.rating.glicko import Glicko, rated
from ludus.site.database.database import Database
from ludus.site.database.people_schema import accounts, rated_games, ratings
from ludus.site.database.schema import games, seats
from ludus.site.messages.people import RatingInfo, RatingList, RatingPoint
from ludus.site.operations.logs import within_game
from ludus.site.table.clock import TimeControl, time_class
from ludus.site.table.rows import CONTROL, control_in

_log = logging.getLogger(__name__)

PERIOD_DAYS = 30.0
"""Length of Glicko-2's rating period: in a pause of this length the deviation grows by one volatility."""
PROVISIONAL = 110.0
"""A rating with a larger deviation is provisional and does not appear in rating lists."""
PAGE = 50
LATE = timedelta(hours=1)
"""A game saved later than this after games that ended after it is rated only at the next start of the site."""
MOST_SEARCHED, MOST_POINTS = 2000, 500
"""A history of ratings searches an account's latest games of a variant, and returns the latest of its time class."""
WITHOUT_RESULT = ("aborted", "abandoned")
"""Reasons for the end of a game that leave ratings unchanged."""


class Ratings:
    """The ratings of a site's accounts."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._since = datetime.min.replace(tzinfo=UTC)  # games that ended earlier have been rated

    async def settle(self) -> int:
        """Rate all finished games that are not rated yet, in the order of their ends, and return their number.

        The first call searches all games; later calls search only games that ended recently, to save time.
        """
        waiting = (
            select(games.c.id, games.c.ended_at)
            .outerjoin(rated_games)
            .where(games.c.rated, games.c.ended_at >= self._since, rated_games.c.game_id.is_(None))
            .order_by(games.c.ended_at, games.c.id)
        )
        rows = await self._database.read(lambda connection: connection.execute(waiting).all(), limit_s=None)
        for game_id, _ in rows:
            await self._database.write(lambda connection, game_id=game_id: _count(connection, game_id))
            with within_game(game_id):
                _log.info("Game %s has been rated.", game_id)
        if rows:
            self._since = max(self._since, rows[-1].ended_at - LATE)
        return len(rows)

    async def of(self, account_id: str) -> list[RatingInfo]:
        """Return an account's ratings, those with the smallest deviation first."""
        which = ratings.c.account_id == account_id
        return await self._list(which, ratings.c.deviation, ratings.c.game, ratings.c.time_class)

    async def best(self, game: str, speed: str, page: int) -> tuple[list[RatingInfo], int]:
        """Return one page of a rating list, best first and without provisional ratings.

        Args:
            game: game and variant, `GAME:VARIANT`.
            speed: the time class.
            page: number of the page, from 1.

        Returns:
            The ratings, and the number of pages.
        """
        which = (ratings.c.game == game) & (ratings.c.time_class == speed) & (ratings.c.deviation <= PROVISIONAL)
        count = select(func.count()).select_from(ratings).where(which)
        total = await self._database.read(lambda connection: connection.execute(count).scalar_one())
        order = (ratings.c.rating.desc(), ratings.c.account_id)
        return await self._list(which, *order, limit=PAGE, offset=PAGE * (page - 1)), -(-total // PAGE)

    async def history(self, account_id: str, game: str, speed: str) -> list[RatingPoint]:
        """Return an account's ratings after its latest rated games of one kind, oldest first.

        Args:
            account_id: the account.
            game: game and variant, `GAME:VARIANT`.
            speed: the time class.
        """
        name, _, variant = game.partition(":")
        after = case((seats.c.side == 0, rated_games.c.after_0), else_=rated_games.c.after_1).label("after")
        columns = (games.c.id, games.c.ended_at, *(games.c[name] for name in CONTROL), after)
        of_account = seats.c.account_id == account_id
        of_game = games.c.rated & (games.c.game == name) & (games.c.variant == variant)
        query = (
            select(*columns)
            .select_from(games)
            .join(seats)
            .join(rated_games)
            .where(of_account, of_game, rated_games.c.after_0.is_not(None))
            .order_by(games.c.ended_at.desc(), games.c.id.desc())
            .limit(MOST_SEARCHED)
        )
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        of_class = (row for row in rows if time_class(control_in(row)) == speed)
        latest = [*itertools.islice(of_class, MOST_POINTS)]
        return [RatingPoint(row.id, row.ended_at.timestamp(), round(row.after)) for row in reversed(latest)]

    async def lists(self) -> list[RatingList]:
        """Return all rating lists that are not empty, the longest first; see `best`."""
        people = func.count().label("people")
        query = (
            select(ratings.c.game, ratings.c.time_class, people)
            .where(ratings.c.deviation <= PROVISIONAL)
            .group_by(ratings.c.game, ratings.c.time_class)
            .order_by(people.desc(), ratings.c.game, ratings.c.time_class)
        )
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return [RatingList(row.game, row.time_class, row.people) for row in rows]

    async def _list(self, which: Any, *order: Any, limit: int = 500, offset: int = 0) -> list[RatingInfo]:  # noqa: ANN401
        query = (
            select(ratings, accounts.c.name).join(accounts).where(which).order_by(*order).limit(limit).offset(offset)
        )
        return [_info(row) for row in await self._database.read(lambda connection: connection.execute(query).all())]


def rating_in(known: Iterable[RatingInfo], game: str, variant: str, control: TimeControl | None) -> int | None:
    """Return the rating among `known` that is for a game, variant and time control; None if there is none."""
    speed = time_class(control)
    return next((each.rating for each in known if each.game == f"{game}:{variant}" and each.time_class == speed), None)


def _count(connection: Connection, game_id: str) -> None:
    """Rate one game, unless it is rated already."""
    done = connection.execute(select(rated_games.c.game_id).where(rated_games.c.game_id == game_id))
    if done.one_or_none():
        return
    game = connection.execute(select(games).where(games.c.id == game_id)).one()
    of_seats = select(seats.c.account_id).where(seats.c.game_id == game_id).order_by(seats.c.side)
    first, second = connection.execute(of_seats).scalars().all()
    still_here = select(func.count()).select_from(accounts).where(accounts.c.id.in_([first, second]))
    event: dict[str, Any] = {"game_id": game_id, "at": datetime.now(UTC)}
    counts = first and second and first != second and game.reason not in WITHOUT_RESULT and game.num_moves >= 2
    if counts and connection.execute(still_here).scalar_one() == 2:  # deleted accounts are not rated
        key = (f"{game.game}:{game.variant}", time_class(control_in(game)))
        score = 0.5 if game.winner is None else float(game.winner == 0)
        ended = game.ended_at or event["at"]
        rows = [_row(connection, account_id, key) for account_id in (first, second)]
        before = [_aged(row, ended) for row in rows]
        after = (rated(before[0], [(before[1], score)], 0.0), rated(before[1], [(before[0], 1.0 - score)], 0.0))
        for side, (account_id, row, points) in enumerate(zip((first, second), rows, (score, 1.0 - score), strict=True)):
            event |= {f"before_{side}": before[side].rating, f"after_{side}": after[side].rating}
            _write(connection, (account_id, *key), row, (after[side], points, ended))
    connection.execute(insert(rated_games).values(**event))


def _row(connection: Connection, account_id: str, key: tuple[str, str]) -> Any:  # noqa: ANN401
    return connection.execute(select(ratings).where(_is((account_id, *key)))).one_or_none()


def _is(key: tuple[str, str, str]) -> Any:  # noqa: ANN401 - a condition
    account_id, game, speed = key
    return (ratings.c.account_id == account_id) & (ratings.c.game == game) & (ratings.c.time_class == speed)


def _aged(row: Any, now: datetime) -> Glicko:  # noqa: ANN401
    """Return a rating with the deviation increased for the time since its last game."""
    if row is None:
        return Glicko()
    pause_days = max(0.0, (now - row.changed_at).total_seconds() / 86_400)
    return rated(Glicko(row.rating, row.deviation, row.volatility), [], pause_days / PERIOD_DAYS)


def _write(
    connection: Connection,
    key: tuple[str, str, str],
    row: Any,  # noqa: ANN401
    result: tuple[Glicko, float, datetime],
) -> None:
    after, points, ended = result
    counted = {"wins": points == 1.0, "draws": points == 0.5, "losses": points == 0.0}
    values: dict[str, Any] = {name: int(won) + (getattr(row, name) if row else 0) for name, won in counted.items()}
    values |= {"rating": after.rating, "deviation": after.deviation, "volatility": after.volatility}
    values["changed_at"] = max(ended, row.changed_at) if row else ended
    if row:
        connection.execute(update(ratings).where(_is(key)).values(**values))
    else:
        account_id, game, speed = key
        connection.execute(insert(ratings).values(account_id=account_id, game=game, time_class=speed, **values))


def _info(row: Any) -> RatingInfo:  # noqa: ANN401
    return RatingInfo(
        row.name,
        row.game,
        row.time_class,
        round(row.rating),
        round(row.deviation),
        row.wins + row.draws + row.losses,
        row.wins,
        row.draws,
        row.losses,
        row.deviation > PROVISIONAL,
    )
