"""The HTTP routes about games: opened, joined, looked at, called off."""

from typing import Annotated

from fastapi import Request
from msgspec.structs import replace

from ludus.site.faults import NotHere, NotYours
from ludus.site.live.game import LiveGame
from ludus.site.live.live_games import LiveGames
from ludus.site.live.view import ply_view
from ludus.site.lobby.lists import Lists
from ludus.site.lobby.reception import Reception
from ludus.site.messages.page import PlyView
from ludus.site.messages.requests import JoinGame, OpenGame, WithToken
from ludus.site.messages.tables import GameAccess, GameLines, GameOpened, GameTouched, Joined, SeatShown, Watching
from ludus.site.people.visitors import Who
from ludus.site.routes.answers import UNKEPT, Answer, link_to
from ludus.site.routes.contract import Body, Routes, Sent
from ludus.site.safety.callers import address_of
from ludus.site.wallgame.view import serialized_state, snapshot

# pyright: reportUnusedFunction=false
# FastAPI calls the functions that it is shown.


def game_routes(live_games: LiveGames, reception: Reception, lists: Lists, who: Who) -> Routes:
    """Return the routes; what they cannot do raises LudusError, for which the application has an answer."""
    routes = Routes()
    _add_lists(routes, lists)
    _add_views(routes, live_games)

    @routes.post("/api/games", status_code=201)
    async def open_game(request: Request, wanted: Sent[OpenGame]) -> GameOpened:
        placed = await reception.open_game(wanted, await who(request))
        lists.lobby_changed()
        link = link_to(request, placed.game)
        return GameOpened(placed.game.id, placed.token, placed.token, link, snapshot(placed.game))

    @routes.post("/api/games/{game_id}/join")
    async def join(
        request: Request, game_id: str, wish: Annotated[JoinGame, Body(may_be_empty=True)]
    ) -> Joined | Watching:
        game = await live_games.find(game_id, address_of(request))
        placed = await reception.join(game, wish, await who(request))
        link = link_to(request, game)
        if placed is None:
            return Watching(snapshot=snapshot(game), share_url=link)
        return Joined(
            player_id=placed.side + 1,
            token=placed.token,
            socket_token=placed.token,
            snapshot=snapshot(game),
            share_url=link,
        )

    @routes.post("/api/games/{game_id}/abort")
    async def abort(request: Request, game_id: str, shown: Sent[WithToken]) -> GameTouched:
        game = await live_games.find(game_id, address_of(request))
        game.side_of(shown.token)
        await game.do(lambda table, now: table.abort(now))
        return GameTouched(snapshot(game))

    @routes.post("/api/games/{game_id}/ready")
    async def ready(request: Request, game_id: str, shown: Sent[WithToken]) -> GameTouched:
        game = await live_games.find(game_id, address_of(request))
        game.side_of(shown.token)
        return GameTouched(snapshot(game))

    return routes


def _add_lists(routes: Routes, lists: Lists) -> None:
    @routes.get("/api/games/matchmaking")
    async def matchmaking() -> GameLines:
        return GameLines(lists.open_seats())

    @routes.get("/api/games/live")
    async def live() -> GameLines:
        return GameLines(lists.live_games())


def _add_views(routes: Routes, live_games: LiveGames) -> None:
    @routes.get("/api/games/{game_id}")
    async def access(request: Request, game_id: str, token: str | None = None) -> Answer[GameAccess]:
        try:
            game = await live_games.find(game_id, address_of(request))
        except NotHere:
            return Answer(GameAccess(kind="not-found"), headers=UNKEPT)
        return Answer(_access(game, token, link_to(request, game)), headers=UNKEPT)

    @routes.get("/api/games/{game_id}/plies/{ply}")
    async def view(request: Request, game_id: str, ply: str) -> PlyView:
        game = await live_games.find(game_id, address_of(request))
        if not ply.isdecimal() or len(ply) > 6:
            raise NotHere(f"The game has plies 0 to {game.table.settled}, not {ply[:20]!r}.")
        return ply_view(game, int(ply))


def _access(game: LiveGame, token: str | None, link: str) -> GameAccess:
    """Return how somebody stands to a game who opens its address."""
    found = GameAccess(
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
        seat = SeatShown(role, side + 1, token, token)
        return replace(found, kind="player", seat=seat, state=serialized_state(game))
    if game.table.waiting:
        return replace(found, kind="waiting", reason="seat-not-filled")
    return replace(found, state=serialized_state(game))
