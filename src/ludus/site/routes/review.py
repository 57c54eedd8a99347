"""The HTTP routes of reviews: begin one, follow it, cancel it, and read the finished one."""

from typing import Annotated

from fastapi import Request

from ludus.site.archive.reviews import Reviews
from ludus.site.faults import NotHere
from ludus.site.messages.review import Review, ReviewState, WishReview
from ludus.site.routes.contract import Body, Routes
from ludus.site.safety.limits import address_of

# pyright: reportUnusedFunction=false
# FastAPI calls the handlers.

KEY_CHARS = 64


def review_routes(reviews: Reviews) -> Routes:
    """Return the routes of reviews."""
    routes = Routes()

    @routes.post("/api/reviews")
    async def begin(request: Request, wish: Annotated[WishReview, Body("review")]) -> ReviewState:
        return await reviews.begin(wish, address_of(request))

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
