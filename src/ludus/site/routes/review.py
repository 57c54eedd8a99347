"""The HTTP routes of reviews: begin one, follow it, cancel it, and read the finished one."""

from collections.abc import Callable
from typing import Annotated

from fastapi import Request

from ludus.errors import BadInput
from ludus.site.archive.replay import Lines, ReplayedGame
from ludus.site.archive.reviews import Reviews
from ludus.site.database.database import Database
from ludus.site.faults import NotHere
from ludus.site.messages.review import Review, ReviewState, WishReview
from ludus.site.routes.archive import finished_game
from ludus.site.routes.contract import Body, Routes
from ludus.site.safety.limits import address_of

# pyright: reportUnusedFunction=false
# FastAPI calls the handlers.

KEY_CHARS = 64


def review_routes(database: Callable[[], Database], lines: Lines, reviews: Reviews) -> Routes:
    """Return the routes of reviews.

    Args:
        database: raises Unavailable before the site is open.
        lines: the replayed games.
        reviews: the queue of reviews.
    """
    routes = Routes()

    async def replayed(wish: WishReview, address: str) -> ReplayedGame:
        if bool(wish.game) == bool(wish.link):
            raise BadInput("Name either the game's id or its link.")
        if wish.link:
            return await lines.of_link(wish.link, address)
        return await lines.of_row(await finished_game(database(), wish.game), address)

    @routes.post("/api/reviews")
    async def begin(request: Request, wish: Annotated[WishReview, Body("review")]) -> ReviewState:
        address = address_of(request)
        return await reviews.begin(await replayed(wish, address), address, is_bound=bool(wish.game))

    @routes.get("/api/reviews/{key}")
    async def state(request: Request, key: str) -> ReviewState:
        return await reviews.state(_key(key), address_of(request))

    @routes.delete("/api/reviews/{key}")
    async def cancel(request: Request, key: str) -> ReviewState:
        return await reviews.cancel(_key(key), address_of(request))

    @routes.get("/api/reviews/{key}/positions")
    async def positions(key: str) -> Review:
        review = await reviews.load(_key(key))
        if review is None:
            raise NotHere("This game has not been reviewed.")
        return review

    return routes


def _key(text: str) -> str:
    if not text.isalnum() or len(text) > KEY_CHARS:
        raise NotHere("There is no review with this name.")
    return text
