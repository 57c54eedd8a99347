"""The HTTP routes of games: open, join, view and abort a game, and list one's own games."""

from collections.abc import Callable
from typing import Annotated

from fastapi import Request
from msgspec.structs import replace

from ludus.site.database.database import Database
from ludus.site.faults import NotHere, NotLoggedIn, NotYours
from ludus.site.live.game import LiveGame
from ludus.site.live.live_games import LiveGames
from ludus.site.live.view import ply_view
from ludus.site.lobby.lists import Lists
from ludus.site.lobby.own_games import own_games
from ludus.site.lobby.reception import Reception
from ludus.site.messages import tables
from ludus.site.messages.page import PlyView
from ludus.site.messages.requests import JoinGame, MySeats, OpenGame, WithToken
from ludus.site.people.visitors import Visitor, Who
from ludus.site.routes.contract import UNKEPT, Answer, Body, Routes, Sent, share_url
from ludus.site.safety.fair_queue import WorkerThreads
from ludus.site.safety.limits import address_of
from ludus.site.wallgame_io.view import serialized_state, snapshot

# pyright: reportUnusedFunction=false
# FastAPI calls the handlers.


def game_routes(
    live_games: LiveGames,
    reception: Reception,
    lists: Lists,
    threads: WorkerThreads,
    database: Callable[[], Database],
    who: Who,
) -> Routes:
    """Return the routes of games; `database` raises Unavailable before the site is open."""
    routes = Routes()
    _add_lists(routes, lists)
    _add_views(routes, live_games, threads)

    @routes.post("/api/games", status_code=201)
    async def open_game(request: Request, wanted: Sent[OpenGame]) -> tables.GameOpened:
        placed = await reception.open_game(wanted, await who(request))
        lists.lobby_changed()
        game, token = placed.game, placed.token
        return tables.GameOpened(game.id, token, token, share_url(request, game.id), snapshot(game))

    @routes.post("/api/games/{game_id}/join")
    async def join(
        request: Request, game_id: str, wish: Annotated[JoinGame, Body(may_be_empty=True)]
    ) -> tables.Joined | tables.Watching:
        game = await live_games.find(game_id, address_of(request))
        placed = await reception.join(game, wish, await who(request))
        link = share_url(request, game.id)
        if placed is None:
            return tables.Watching(snapshot=snapshot(game), share_url=link)
        return tables.Joined(
            player_id=placed.side + 1,
            token=placed.token,
            socket_token=placed.token,
            snapshot=snapshot(game),
            share_url=link,
        )

    @routes.post("/api/games/{game_id}/abort")
    async def abort(request: Request, game_id: str, shown: Sent[WithToken]) -> tables.GameTouched:
        game = await live_games.find(game_id, address_of(request))
        game.side_of(shown.token)
        await game.do(lambda table, now: table.abort(now))
        return tables.GameTouched(snapshot(game))

    @routes.post("/api/games/{game_id}/ready")
    async def ready(request: Request, game_id: str, shown: Sent[WithToken]) -> tables.GameTouched:
        game = await live_games.find(game_id, address_of(request))
        game.side_of(shown.token)
        return tables.GameTouched(snapshot(game))

    _add_own(routes, database, live_games, reception, who)
    return routes


def _add_lists(routes: Routes, lists: Lists) -> None:
    @routes.get("/api/games/matchmaking")
    async def matchmaking() -> tables.GamesWaiting:
        return tables.GamesWaiting(lists.open_seats())

    @routes.get("/api/games/live")
    async def live() -> tables.GamesPlayed:
        return tables.GamesPlayed(lists.live_games())


def _add_views(routes: Routes, live_games: LiveGames, threads: WorkerThreads) -> None:
    @routes.get("/api/games/{game_id}")
    async def access(request: Request, game_id: str, token: str | None = None) -> Answer[tables.GameAccess]:
        try:
            game = await live_games.find(game_id, address_of(request))
        except NotHere:
            return Answer(tables.GameAccess(kind="not-found"), headers=UNKEPT)
        return Answer(_access(game, token, share_url(request, game.id)), headers=UNKEPT)

    @routes.get("/api/games/{game_id}/plies/{ply}")
    async def view(request: Request, game_id: str, ply: str) -> PlyView:
        game = await live_games.find(game_id, address_of(request))
        if not ply.isdecimal() or len(ply) > 6:
            raise NotHere(f"The game has plies 0 to {game.table.settled}, not {ply[:20]!r}.")
        return await ply_view(game, int(ply), threads, address_of(request))


def _access(game: LiveGame, token: str | None, link: str) -> tables.GameAccess:
    """Return how the page shows a game to a visitor with this token: as player, as spectator, waiting or as replay."""
    found = tables.GameAccess(
        kind="spectator",
        game_id=game.id,
        match_type="matchmaking" if game.row.kind == "lobby" else "friend",
        match_status=snapshot(game),
        share_url=link,
    )
    try:
        side = game.side_of(token)
    except NotYours:
        side = None
    if game.table.over:
        aborted = game.table.result is not None and game.table.result.reason == "aborted"
        if aborted and any(seat.kind == "open" for seat in game.seats):
            return replace(found, kind="waiting", reason="host-aborted")
        return replace(found, kind="replay", state=serialized_state(game))
    if side is not None:
        role = "host" if game.seats[side].host else "joiner"
        seat = tables.SeatShown(role, side + 1, token, token)
        return replace(found, kind="player", seat=seat, state=serialized_state(game))
    if game.table.waiting:
        return replace(found, kind="waiting", reason="seat-not-filled")
    return replace(found, state=serialized_state(game))


def _add_own(
    routes: Routes, database: Callable[[], Database], live_games: LiveGames, reception: Reception, who: Who
) -> None:
    async def owner(request: Request) -> Visitor:
        visitor = await who(request)
        if visitor.account is None:
            raise NotLoggedIn("Log in first. A guest's games are known only to the guest's browser.")
        return visitor

    @routes.get("/api/me/games")
    async def of_account(request: Request) -> Answer[tables.OwnGames]:
        visitor = await owner(request)
        return Answer(await own_games(database(), visitor.account_id, {}), headers=UNKEPT)

    @routes.post("/api/me/games")
    async def of_browser(request: Request, shown: Sent[MySeats]) -> Answer[tables.OwnGames]:
        visitor = await who(request)
        return Answer(await own_games(database(), visitor.account_id, shown.tokens), headers=UNKEPT)

    @routes.post("/api/me/seats/{game_id}")
    async def sit_again(request: Request, game_id: str) -> Answer[tables.SeatAgain]:
        visitor = await owner(request)
        placed = await reception.sit_again(await live_games.find(game_id, address_of(request)), visitor)
        seat = tables.SeatAgain(
            game_id=placed.game.id, player_id=placed.side + 1, token=placed.token, socket_token=placed.token
        )
        return Answer(seat, headers=UNKEPT)
