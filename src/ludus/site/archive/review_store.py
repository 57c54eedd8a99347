"""Store reviews of finished games, also unfinished ones; those of games that only a link contains are limited."""

import zlib
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec
from sqlalchemy import Connection, delete, insert, select, update

from ludus.errors import BadRecord
from ludus.protocol.bgs import SessionConfig
from ludus.site.database.database import Database
from ludus.site.database.schema import begun_reviews, reviews
from ludus.site.messages.review import JudgedPosition, Review, ReviewedPosition, ReviewMade, WishReview

MAX_UNBOUND = 2000
"""Most reviews of games that the site does not store; the one that was unused for longest is deleted."""
USED_EVERY = timedelta(days=1)
"""How often the time of the last use is written."""


_Made = TypeVar("_Made", bound=ReviewMade)


class KeptReview(NamedTuple, Generic[_Made]):
    """A review, with what decides whether another judge would be better."""

    made: _Made
    board: SessionConfig
    """The board and the first position, as bots are told them."""
    rank: list[int]
    """Orders judges by strength."""


class BegunReview(NamedTuple):
    """A review that waits or is being made."""

    key: str
    wish: WishReview
    """Names the game."""
    found: list[JudgedPosition]
    """What is found so far, by number of moves."""


_POSITIONS = msgspec.json.Decoder(list[ReviewedPosition])
_FOUND = msgspec.json.Decoder(list[JudgedPosition])


class ReviewStore:
    """The reviews in the database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def made(self, key: str) -> KeptReview[ReviewMade] | None:
        """Return a review without its positions; None if there is none.  Raises Unavailable."""
        columns = reviews.c.board, reviews.c.rank, reviews.c.judge, reviews.c.visits, reviews.c.made_at
        query = select(*columns).where(reviews.c.key == key)
        row = await self._database.read(lambda connection: connection.execute(query).one_or_none())
        if row is None:
            return None
        made = ReviewMade(row.judge, row.visits, row.made_at.timestamp())
        return KeptReview(made, msgspec.convert(row.board, SessionConfig), row.rank)

    async def load(self, key: str) -> Review | None:
        """Return a review, and note that it was used; None if there is none.

        Raises:
            BadRecord: the stored review is damaged.
            Unavailable: the database does not respond.
        """
        query = select(reviews).where(reviews.c.key == key)
        row = await self._database.read(lambda connection: connection.execute(query).one_or_none())
        if row is None:
            return None
        now = datetime.now(UTC)
        if now - row.used_at > USED_EVERY:
            used = update(reviews).where(reviews.c.key == key).values(used_at=now)
            await self._database.write(lambda connection: connection.execute(used))
        try:
            positions = _POSITIONS.decode(zlib.decompress(row.body))
        except (zlib.error, msgspec.MsgspecError) as error:
            raise BadRecord(f"The review {key} is damaged: {error}") from error
        return Review(row.judge, row.visits, row.made_at.timestamp(), positions)

    async def save(self, key: str, kept: KeptReview[Review], *, is_bound: bool) -> None:
        """Write a review in place of an older one.

        Args:
            key: the review's name.
            kept: the review.
            is_bound: whether the site stores the game; such a review is never deleted.
        """
        review, board, rank = kept
        made = datetime.fromtimestamp(review.made, UTC)
        body = zlib.compress(msgspec.json.encode(review.positions))
        values: dict[str, Any] = {"judge": review.judge, "visits": review.visits, "made_at": made, "used_at": made}
        values |= {"board": msgspec.to_builtins(board), "rank": rank, "body": body}

        def work(connection: Connection) -> None:
            old = connection.execute(select(reviews.c.is_bound).where(reviews.c.key == key)).scalar_one_or_none()
            connection.execute(delete(reviews).where(reviews.c.key == key))
            connection.execute(insert(reviews).values(key=key, is_bound=is_bound or bool(old), **values))
            connection.execute(delete(begun_reviews).where(begun_reviews.c.key == key))
            unbound = reviews.c.is_bound.is_(False)
            order = (reviews.c.used_at.desc(), reviews.c.key)
            surplus = select(reviews.c.key).where(unbound).order_by(*order).offset(MAX_UNBOUND)
            connection.execute(delete(reviews).where(reviews.c.key.in_(connection.execute(surplus).scalars().all())))

        await self._database.write(work)

    async def begin(self, key: str, wish: WishReview, found: Sequence[JudgedPosition]) -> None:
        """Note that a review has begun, and what is found so far; `save` ends it.  Raises Unavailable."""
        values = {"key": key, "wish": wish.model_dump(), "begun_at": datetime.now(UTC), "body": _deflated(found)}

        def work(connection: Connection) -> None:
            connection.execute(delete(begun_reviews).where(begun_reviews.c.key == key))
            connection.execute(insert(begun_reviews).values(**values))

        await self._database.write(work)

    async def keep(self, key: str, found: Sequence[JudgedPosition]) -> None:
        """Write what a begun review has found so far; raises Unavailable."""
        change = update(begun_reviews).where(begun_reviews.c.key == key).values(body=_deflated(found))
        await self._database.write(lambda connection: connection.execute(change))

    async def forget(self, key: str) -> None:
        """Delete a begun review that will not be finished; raises Unavailable."""
        gone = delete(begun_reviews).where(begun_reviews.c.key == key)
        await self._database.write(lambda connection: connection.execute(gone))

    async def begun(self) -> list[BegunReview]:
        """Return the begun reviews, the first one first; one with damaged results has none.  Raises Unavailable."""
        query = select(begun_reviews).order_by(begun_reviews.c.begun_at, begun_reviews.c.key)
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        return [BegunReview(row.key, WishReview.model_validate(row.wish), _inflated(row.body)) for row in rows]


def _deflated(found: Sequence[JudgedPosition]) -> bytes:
    return zlib.compress(msgspec.json.encode(list(found)))


def _inflated(body: bytes) -> list[JudgedPosition]:
    try:
        return _FOUND.decode(zlib.decompress(body))
    except (zlib.error, msgspec.MsgspecError):
        return []
