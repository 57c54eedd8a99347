"""The HTTP routes about one's own games that are not over: where they are, and how to sit there again."""

from collections.abc import Callable

from fastapi import Request

from ludus.site.database.database import Database
from ludus.site.faults import NotLoggedIn
from ludus.site.live.live_games import LiveGames
from ludus.site.lobby.own_games import own_games
from ludus.site.lobby.reception import Reception
from ludus.site.messages.own_games import OwnGames
from ludus.site.messages.requests import MySeats
from ludus.site.messages.tables import SeatAgain
from ludus.site.people.visitors import Visitor, Who
from ludus.site.routes.answers import UNKEPT, Answer
from ludus.site.routes.contract import Routes, Sent
from ludus.site.safety.callers import address_of

# pyright: reportUnusedFunction=false
# FastAPI calls the functions that it is shown.


def own_routes(database: Callable[[], Database], live_games: LiveGames, reception: Reception, who: Who) -> Routes:
    """Return the routes.

    Args:
        database: where games are; raises Unavailable before the site is open.
        live_games: the games in memory.
        reception: where people sit down.
        who: says who asks.
    """
    routes = Routes()

    async def owner(request: Request) -> Visitor:
        visitor = await who(request)
        if visitor.account is None:
            raise NotLoggedIn("Log in first; the seats of guests belong to their browsers.")
        return visitor

    @routes.get("/api/me/games")
    async def of_account(request: Request) -> Answer[OwnGames]:
        visitor = await owner(request)
        return Answer(await own_games(database(), visitor.account_id, {}), headers=UNKEPT)

    @routes.post("/api/me/games")
    async def of_browser(request: Request, shown: Sent[MySeats]) -> Answer[OwnGames]:
        visitor = await who(request)
        return Answer(await own_games(database(), visitor.account_id, shown.tokens), headers=UNKEPT)

    @routes.post("/api/me/seats/{game_id}")
    async def sit_again(request: Request, game_id: str) -> Answer[SeatAgain]:
        visitor = await owner(request)
        placed = await reception.sit_again(await live_games.find(game_id, address_of(request)), visitor)
        seat = SeatAgain(
            game_id=placed.game.id, player_id=placed.side + 1, token=placed.token, socket_token=placed.token
        )
        return Answer(seat, headers=UNKEPT)

    return routes
