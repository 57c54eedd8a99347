"""Store games in the database move by move, and load them."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import asdict
from sqlalchemy import ColumnElement, Connection, RowMapping, bindparam, delete, func, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

from ludus.games.registry import told_name
from ludus.site.database.database import READ_LIMIT_S, Database
from ludus.site.database.people_schema import DELETED, accounts, named_like, rated_games
from ludus.site.database.records import DAY_MS, Evaluation, GameProgress, GameRow, MoveRow, SeatRow
from ludus.site.database.schema import evaluations, games, moves, pulse, seats

_Struct = TypeVar("_Struct", bound=Struct)

PATIENCE_S = 5.0
"""How long a request for a new game or a seat retries while the database refuses to write."""


class GameStore:
    """The games of a site in the database; methods without a stated error retry until the write succeeds."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, row: GameRow) -> None:
        """Insert a new game; raises Unavailable."""
        again = False

        def work(connection: Connection) -> None:
            nonlocal again
            if again and connection.execute(select(games.c.id).where(games.c.id == row.id)).first():
                return  # the first try was committed, but its confirmation was lost
            again = True
            own = asdict(row)
            own["spec"] = told_name(row.spec)  # files of games may move, and the site may start elsewhere
            for name in ("seats", "progress", "moves"):
                del own[name]
            connection.execute(insert(games).values(**own, **asdict(row.progress), num_moves=len(row.moves)))
            key = {"game_id": row.id}
            connection.execute(insert(seats), [key | {"side": n} | asdict(seat) for n, seat in enumerate(row.seats)])
            if row.moves:
                connection.execute(insert(moves), [key | {"ply": n} | asdict(move) for n, move in enumerate(row.moves)])
            _forget_the_ended(connection, row.id, row.seats)  # a player's account may have been deleted meanwhile

        await self._database.write(work, PATIENCE_S)

    async def take_seat(self, game_id: str, side: int, seat: SeatRow, progress: GameProgress) -> None:
        """Write the player of a seat and the game's new progress; raises Unavailable."""

        def work(connection: Connection) -> None:
            where = (seats.c.game_id == game_id) & (seats.c.side == side)
            connection.execute(update(seats).where(where).values(**asdict(seat)))
            connection.execute(update(games).where(games.c.id == game_id).values(**asdict(progress)))
            _forget_the_ended(connection, game_id, (seat,))  # the player's account may have been deleted meanwhile

        await self._database.write(work, PATIENCE_S)

    async def save(self, game_id: str, progress: GameProgress, kept: int, played: Sequence[MoveRow]) -> None:
        """Write a game's progress and its changed moves; saving the same twice changes nothing.

        Args:
            game_id: the game.
            progress: its current progress.
            kept: how many stored moves to keep; later ones are deleted.
            played: the moves to store after those.
        """

        def work(connection: Connection) -> None:
            later = (moves.c.game_id == game_id) & (moves.c.ply >= kept)
            connection.execute(delete(moves).where(later))
            undone = (evaluations.c.game_id == game_id) & (evaluations.c.ply > kept)
            connection.execute(delete(evaluations).where(undone))
            if played:
                rows = [{"game_id": game_id, "ply": ply} | asdict(move) for ply, move in enumerate(played, kept)]
                connection.execute(insert(moves), rows)
            change = update(games).where(games.c.id == game_id)
            connection.execute(change.values(**asdict(progress), num_moves=kept + len(played)))
            if progress.status == "over":  # nobody plays any more, so nobody's device need be known
                left = update(seats).where((seats.c.game_id == game_id) & seats.c.device_hash.is_not(None))
                connection.execute(left.values(device_hash=None, lower_name=seats.c.lower_name))

        await self._database.write(work)

    async def load(self, game_id: str) -> GameRow | None:
        """Return the game with this id, or None; raises Unavailable."""
        found = await self._load(games.c.id == game_id)
        return found[0] if found else None

    async def unfinished(self) -> list[GameRow]:
        """Return all unfinished games, oldest first; raises Unavailable."""
        return await self._load(games.c.status != "over", limit_s=None)

    async def note_left(self, game_id: str, at: datetime | None) -> None:
        """Write when the last player left a game; None: a player is connected."""
        await self._database.write(
            lambda connection: connection.execute(update(games).where(games.c.id == game_id).values(left_at=at))
        )

    async def all_left(self, at: datetime, now: datetime) -> None:
        """Mark all players of unfinished games as absent after a restart; the downtime does not count as absence.

        It does not count as thinking time in games over days either: their deadlines move.

        Args:
            at: when the site went down; players connected at that time count as having left then.
            now: when the site started again.
        """
        unfinished = games.c.status != "over"
        query = select(games.c.id, games.c.left_at, games.c.since, games.c.deadline).where(unfinished)
        rows = await self._database.read(lambda connection: connection.execute(query).all(), limit_s=None)
        down, over_days = now - at, [row for row in rows if row.deadline and row.since]
        left = [{"left_game": row.id, "left": (row.left_at or at) + down} for row in rows]
        change = update(games).where(games.c.id == bindparam("left_game")).values(left_at=bindparam("left"))
        moved = [{"of": row.id, "begun": row.since + down, "end": row.deadline + down} for row in over_days]
        shift = update(games).where(games.c.id == bindparam("of"))
        shift = shift.values(since=bindparam("begun"), deadline=bindparam("end"))

        def work(connection: Connection) -> None:
            connection.execute(change, left)
            if moved:
                connection.execute(shift, moved)

        if left:
            await self._database.write(work, PATIENCE_S)

    async def due(self, now: datetime, limit: int, without: Collection[str]) -> list[str]:
        """Return ids of games over days whose deadlines have passed, except those in `without`; raises Unavailable."""
        passed = (games.c.deadline <= now) & (games.c.status == "playing") & games.c.id.not_in(without)
        query = select(games.c.id).where(passed).order_by(games.c.deadline).limit(limit)
        return await self._database.read(lambda connection: [*connection.execute(query).scalars()])

    async def num_over_days(self, account_id: str) -> int:
        """Return how many unfinished games over days an account has; raises Unavailable."""
        mine = games.c.id.in_(select(seats.c.game_id).where(seats.c.account_id == account_id))
        over_days = (games.c.period_ms >= DAY_MS) & (games.c.status != "over")
        query = select(func.count()).select_from(games).where(mine & over_days)
        return await self._database.read(lambda connection: connection.execute(query).scalar_one())

    async def left_before(self, at: datetime, limit: int) -> list[str]:
        """Return ids of games without a running clock whose players all left before `at`; raises Unavailable."""
        of_people = select(seats.c.game_id).where(seats.c.kind == "person")
        waits = (games.c.status == "playing") & games.c.since.is_(None) & (games.c.left_at < at)
        query = select(games.c.id).where(waits & games.c.id.in_(of_people)).order_by(games.c.left_at).limit(limit)
        return await self._database.read(lambda connection: [*connection.execute(query).scalars()])

    async def note_evaluation(self, game_id: str, ply: int, found: Evaluation) -> None:
        """Store the evaluation of the position after `ply` moves."""
        stored = {"value": found.value, "best_move": found.best_move, "lead": found.lead}

        def work(connection: Connection) -> None:
            # both databases have the same upsert statement, but SQLAlchemy has one class for each
            upsert = sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert
            new = upsert(evaluations).values(game_id=game_id, ply=ply, **stored)
            keys = [evaluations.c.game_id, evaluations.c.ply]
            connection.execute(new.on_conflict_do_update(index_elements=keys, set_=stored))

        await self._database.write(work)

    async def evaluations(self, game_id: str) -> dict[int, Evaluation]:
        """Return the stored evaluations of a game by ply; raises Unavailable."""
        query = select(evaluations).where(evaluations.c.game_id == game_id).order_by(evaluations.c.ply)
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return {row.ply: Evaluation(row.value, row.best_move, row.lead) for row in rows}

    async def rating_changes(self, game_id: str) -> tuple[tuple[float, float], tuple[float, float]] | None:
        """Return both sides' ratings before and after a game; None if it changed none.  Raises Unavailable."""
        query = select(rated_games).where(rated_games.c.game_id == game_id, rated_games.c.after_0.is_not(None))
        row = await self._database.read(lambda connection: connection.execute(query).one_or_none())
        return row and ((row.before_0, row.after_0), (row.before_1, row.after_1))

    async def has_account(self, folded: str, skeleton: str) -> bool:
        """Return whether an account has this name or one that looks like it; raises Unavailable.

        Args:
            folded: see `ludus.site.safety.names.folded`.
            skeleton: see `ludus.site.safety.names.skeleton`.
        """
        query = select(accounts.c.id).where(named_like(folded, skeleton))
        return await self._database.read(lambda connection: connection.execute(query).first() is not None)

    async def beat(self, at: datetime) -> None:
        """Write the site's heartbeat: it was running at this time."""

        def work(connection: Connection) -> None:
            changed = connection.execute(update(pulse).values(at=at))
            if not changed.rowcount:
                connection.execute(insert(pulse).values(id=0, at=at))

        await self._database.write(work)

    async def last_beat(self) -> datetime | None:
        """Return the time of the site's last heartbeat; None if there is none."""
        query = select(pulse.c.at)
        return await self._database.read(lambda connection: connection.execute(query).scalar_one_or_none())

    async def _load(self, which: ColumnElement[bool], limit_s: float | None = READ_LIMIT_S) -> list[GameRow]:
        ids = select(games.c.id).where(which)
        of_games = select(games).where(which).order_by(games.c.created_at)
        of_seats = select(seats).where(seats.c.game_id.in_(ids)).order_by(seats.c.side)
        of_moves = select(moves).where(moves.c.game_id.in_(ids)).order_by(moves.c.ply)

        def work(connection: Connection) -> list[Sequence[RowMapping]]:
            return [connection.execute(query).mappings().all() for query in (of_games, of_seats, of_moves)]

        found, seated, made = await self._database.read(work, limit_s)
        sitting: dict[str, list[SeatRow]] = {}
        for seat in seated:
            sitting.setdefault(seat["game_id"], []).append(_read(SeatRow, seat))
        played: dict[str, list[MoveRow]] = {}
        for move in made:
            played.setdefault(move["game_id"], []).append(_read(MoveRow, move))
        return [
            _read(
                GameRow,
                row,
                seats=tuple(sitting[row["id"]]),
                progress=_read(GameProgress, row),
                moves=played.get(row["id"], []),
            )
            for row in found
        ]


def _forget_the_ended(connection: Connection, game_id: str, sitting: Sequence[SeatRow]) -> None:
    """Replace the names of deleted accounts in a game whose seats were just written."""
    if any(seat.account_id for seat in sitting):
        known = seats.c.account_id.in_(select(accounts.c.id))
        gone = (seats.c.game_id == game_id) & seats.c.account_id.is_not(None) & ~known
        connection.execute(update(seats).where(gone).values(account_id=None, name=DELETED))


def _read(kind: type[_Struct], row: RowMapping, **more: Any) -> _Struct:  # noqa: ANN401 - fields of any type
    """Build a struct of type `kind` from the columns of a row, and `more` for its other fields."""
    return kind(**{name: row[name] for name in kind.__struct_fields__ if name in row}, **more)
