"""Lists the unfinished games, live or evicted, of an account and of the holder of seat tokens."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, or_, select

from ludus.site.database.database import Database
from ludus.site.database.schema import games, seats
from ludus.site.messages.tables import OwnGame, OwnGames
from ludus.site.safety.secrets import is_same

MOST = 100
"""The maximum length of the list; older games are left out."""


async def own_games(database: Database, account_id: str | None, tokens: Mapping[str, str]) -> OwnGames:
    """Return the newest unfinished games in which an account has a seat, or for which a seat token is given.

    Args:
        database: the site's database.
        account_id: the account; None for a guest.
        tokens: seat tokens by game id; wrong ones are skipped.
    """
    which: list[ColumnElement[bool]] = [seats.c.account_id == account_id] if account_id else []
    if tokens:
        which.append(seats.c.game_id.in_(tokens))
    if not which:
        return OwnGames([])
    mine = select(seats.c.game_id).where(seats.c.kind == "person", or_(*which))
    running = games.c.status != "over"
    newest = select(games).where(running, games.c.id.in_(mine)).order_by(games.c.created_at.desc(), games.c.id)

    def work(connection: Connection) -> tuple[Sequence[Any], Sequence[Any]]:
        rows = connection.execute(newest.limit(MOST + len(tokens))).all()  # every token may be wrong
        of_seats = select(seats).where(seats.c.game_id.in_([row.id for row in rows])).order_by(seats.c.side)
        return rows, connection.execute(of_seats).all()

    rows, seated = await database.read(work)
    sitting: dict[str, list[Any]] = {}
    for seat in seated:
        sitting.setdefault(seat.game_id, []).append(seat)
    found = (_own(row, sitting[row.id], account_id, tokens.get(row.id)) for row in rows)
    return OwnGames([game for game in found if game][:MOST])


def _own(row: Any, sitting: Sequence[Any], account_id: str | None, token: str | None) -> OwnGame | None:  # noqa: ANN401
    """Return a game as seen from the token's seat, else from the account's; None if neither has a seat."""
    shown = [seat.side for seat in sitting if token is not None and is_same(token, seat.token_hash or "")]
    own = [seat.side for seat in sitting if account_id and seat.account_id == account_id]
    sides = [*shown, *own]
    if not sides:
        return None
    other = sitting[1 - sides[0]]
    return OwnGame(
        id=row.id,
        game=row.game,
        variant=row.variant,
        board_width=row.width,
        board_height=row.height,
        rated=row.rated,
        status=row.status,
        opponent=None if other.kind == "open" else other.name,
        you=sides[0],
        to_play=row.to_play,
        num_moves=row.num_moves,
        deadline=row.deadline and row.deadline.timestamp(),
    )
