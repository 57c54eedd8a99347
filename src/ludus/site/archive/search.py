"""Search for finished games by game, board, player, bot, result and date; returns pages, newest games first."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Select, and_, select

from ludus.errors import BadInput
from ludus.games.records import Overtime
from ludus.games.registry import told_name
from ludus.site.bots.in_browser import is_in_browser
from ludus.site.catalogue.specs import spec_stored, title_of
from ludus.site.catalogue.words import ending_words
from ludus.site.database.database import Database
from ludus.site.database.people_schema import rated_games
from ludus.site.database.schema import FINISHED, games, seats
from ludus.site.messages.archive import FinishedGames, GameSummary, ReplayPlayer
from ludus.site.messages.reading import page_number
from ludus.site.table.clock import time_class
from ludus.site.table.rows import control_in

PAGE = 50
MOST_PAGES = 200
"""Most pages of a search, so that the work of a search is limited."""
RESULTS = ("first", "second", "draw")
MAX_TEXT = 450
_CHANGES = [rated_games.c[f"{when}_{side}"] for when in ("before", "after") for side in (0, 1)]
_SUMMARIES = select(games, *_CHANGES).outerjoin(rated_games)


class ArchiveQuery(NamedTuple):
    """The filters of a search; None means no filter."""

    game: str | None = None
    variant: str | None = None
    size: tuple[int, int] | None = None
    player: str | None = None
    bot: str | None = None
    result: str | None = None
    begin: datetime | None = None
    """Only games that ended at this time or later."""
    end: datetime | None = None
    """Only games that ended before this time."""
    rated: bool | None = None
    page: int = 1


def read_wish(query: dict[str, str]) -> ArchiveQuery:
    """Parse the query string of a URL into a search; raises BadInput, which names the wrong parameter."""
    unknown = sorted(query.keys() - {*ArchiveQuery._fields, "from", "to"} | query.keys() & {"begin", "end"})
    if unknown:
        raise BadInput(f"There is no filter {unknown[0][:40]!r}; leave it out.")
    long = [name for name, value in query.items() if len(value) > MAX_TEXT or "\0" in value]
    if long:
        raise BadInput(f"The value of the filter {long[0]} is too long or contains a NUL character.")
    result = query.get("result")
    if result is not None and result not in RESULTS:
        raise BadInput(f"There is no result {result[:20]!r}; use one of {', '.join(RESULTS)}.")
    rated = query.get("rated")
    if rated not in (None, "true", "false"):
        raise BadInput("The filter rated must be true or false.")
    page = page_number(query.get("page", "1"))
    if page > MOST_PAGES:
        raise BadInput(f"A search has at most {MOST_PAGES} pages; use the filter to, a date, to find older games.")
    return ArchiveQuery(
        game=query.get("game"),
        variant=query.get("variant"),
        size=_size(query["size"]) if "size" in query else None,
        player=query.get("player"),
        bot=query.get("bot"),
        result=result,
        begin=_moment(query["from"], 0) if "from" in query else None,
        end=_moment(query["to"], 1) if "to" in query else None,
        rated=None if rated is None else rated == "true",
        page=page,
    )


async def find_games(database: Database, wish: ArchiveQuery, files: tuple[str, ...]) -> FinishedGames:
    """Return one page of the games that match a search; raises Unavailable.

    Args:
        database: the database.
        wish: the search.
        files: paths of the game files that the site offers, for the titles of these games.
    """
    most = PAGE * MOST_PAGES
    newest = ids_of(wish).limit(most + 1)

    def work(connection: Connection) -> tuple[int, list[GameSummary]]:
        ids = connection.execute(newest).scalars().all()
        shown = ids[PAGE * (wish.page - 1) : PAGE * wish.page]
        return len(ids), summaries(connection, shown, files)

    found, page = await database.read(work)
    total = min(found, most)
    return FinishedGames(page, wish.page, -(-total // PAGE), total, more=found > most)


def ids_of(wish: ArchiveQuery) -> Select[str]:
    """Return the query for the ids of the games that match a search, newest first."""
    return select(games.c.id).where(_condition(wish)).order_by(games.c.ended_at.desc(), games.c.id.desc())


async def game_summary(database: Database, game_id: str, files: tuple[str, ...]) -> GameSummary:
    """Return the summary of a game in the database; raises Unavailable."""
    return (await database.read(lambda connection: summaries(connection, [game_id], files)))[0]


async def finished_summary(database: Database, game_id: str, files: tuple[str, ...]) -> GameSummary | None:
    """Return the summary of a finished game; None if the database has no such game.  Raises Unavailable."""
    query = select(games.c.id).where(FINISHED, games.c.id == game_id)

    def work(connection: Connection) -> list[GameSummary]:
        return summaries(connection, connection.execute(query).scalars().all(), files)

    return next(iter(await database.read(work)), None)


def summaries(connection: Connection, ids: Sequence[str], files: tuple[str, ...]) -> list[GameSummary]:
    """Return the summaries of games in the database, in the order of their ids."""
    rows = connection.execute(_SUMMARIES.where(games.c.id.in_(ids))).all()
    sitting: dict[str, list[Any]] = {}
    of_seats = select(seats).where(seats.c.game_id.in_(ids)).order_by(seats.c.side)
    for seat in connection.execute(of_seats):
        sitting.setdefault(seat.game_id, []).append(seat)
    told = {row.id: _summary(row, sitting[row.id], files) for row in rows}
    return [told[game_id] for game_id in ids if game_id in told]


def _condition(wish: ArchiveQuery) -> ColumnElement[bool]:
    """Return the SQL condition of a search; all texts are bound parameters, so they cannot inject SQL."""
    parts: list[ColumnElement[bool]] = [FINISHED]
    for column, value in ((games.c.game, wish.game), (games.c.variant, wish.variant), (games.c.rated, wish.rated)):
        if value is not None:
            parts.append(column == value)
    if wish.size is not None:
        parts += [games.c.width == wish.size[0], games.c.height == wish.size[1]]
    if wish.result is not None:
        winner = {"first": 0, "second": 1, "draw": None}[wish.result]
        parts.append(games.c.winner.is_(None) if winner is None else games.c.winner == winner)
    if wish.begin is not None:
        parts.append(games.c.ended_at >= wish.begin)
    if wish.end is not None:
        parts.append(games.c.ended_at < wish.end)
    if wish.player is not None:
        parts.append(_seated(and_(seats.c.kind == "person", seats.c.lower_name == wish.player.lower())))
    if wish.bot is not None:
        parts.append(_seated(seats.c.bot == wish.bot))
    return and_(*parts)


def _seated(which: ColumnElement[bool]) -> ColumnElement[bool]:
    """Return the condition for games with such a seat; SQLite needs half as long for `IN` as for `EXISTS`."""
    return games.c.id.in_(select(seats.c.game_id).where(which))


def _size(text: str) -> tuple[int, int]:
    width, x, height = text.lower().replace("\N{MULTIPLICATION SIGN}", "x").replace(" ", "").partition("x")
    if not (x and width.isdecimal() and height.isdecimal() and len(text) <= 9):
        raise BadInput(f"The size {text[:20]!r} cannot be read; write columns and rows, such as 8x8.")
    return int(width), int(height)


def _moment(text: str, days: int) -> datetime:
    """Parse a time with a time zone, or a date; a date means midnight UTC, `days` days later."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = datetime.max
    is_day = len(text) == len("2026-11-21")
    if not 1900 <= moment.year <= 9000 or is_day == (moment.tzinfo is not None):
        raise BadInput(f"The date {text[:30]!r} cannot be read; write it as 2026-11-21, or 2026-11-21T05:00Z.")
    return moment.replace(tzinfo=UTC) + timedelta(days=days) if is_day else moment.astimezone(UTC)


def _summary(row: Any, sitting: list[Any], files: tuple[str, ...]) -> GameSummary:  # noqa: ANN401
    first, second = sitting
    spec, control = spec_stored(row.spec, files), control_in(row)
    overtime = control.overtime if control else None
    return GameSummary(
        row.id,
        told_name(row.spec),
        row.game,
        row.variant,
        f"{row.width}x{row.height}",
        title_of(spec),
        (_player(first, row.before_0, row.after_0), _player(second, row.before_1, row.after_1)),
        row.winner,
        row.reason or "",
        row.rated,
        time_class(control),
        row.created_at.timestamp(),
        row.ended_at and row.ended_at.timestamp(),
        row.num_moves,
        None if control is None else (control.initial_ms / 1000, control.increment_ms / 1000),
        ending_words(spec, row.reason or ""),
        overtime and Overtime(overtime.ms / 1000, overtime.count, overtime.moves),
    )


def _player(seat: Any, before: float | None, after: float | None) -> ReplayPlayer:  # noqa: ANN401
    kind = "bot" if seat.kind == "bot" else "account" if seat.account_id else "guest"
    rating, later = (None if each is None else round(each) for each in (before, after))
    return ReplayPlayer(seat.name, kind, rating, later, is_in_browser(seat.bot))
