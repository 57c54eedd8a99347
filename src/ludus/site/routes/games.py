"""The HTTP routes about games: opened, joined, looked at, called off."""

from typing import Any

from fastapi import APIRouter, Request, Response

from ludus.site.faults import NotHere, NotYours
from ludus.site.live.game import LiveGame
from ludus.site.live.live_games import LiveGames
from ludus.site.live.view import ply_view
from ludus.site.lobby.lists import Lists
from ludus.site.lobby.reception import Reception
from ludus.site.messages.reading import read_as, read_body
from ludus.site.messages.requests import JoinGame, OpenGame, WithToken
from ludus.site.people.visitors import Who
from ludus.site.routes.answers import UNKEPT, as_json, link_to, seat_of
from ludus.site.safety.callers import address_of
from ludus.site.wallgame.view import serialized_state, snapshot

# pyright: reportUnusedFunction=false
# FastAPI calls the functions that it is shown.


def game_routes(live_games: LiveGames, reception: Reception, lists: Lists, who: Who) -> APIRouter:
    """Return the routes; what they cannot do raises LudusError, for which the application has an answer."""
    routes = APIRouter()
    _add_lists(routes, lists)
    _add_views(routes, live_games)

    @routes.post("/api/games")
    async def open_game(request: Request) -> Response:
        placed = await reception.open_game(await read_body(request, OpenGame), await who(request))
        lists.lobby_changed()
        answer = {
            "gameId": placed.game.id,
            "hostToken": placed.token,
            "socketToken": placed.token,
            "shareUrl": link_to(request, placed.game),
            "snapshot": snapshot(placed.game),
        }
        return as_json(answer, 201)

    @routes.post("/api/games/{game_id}/join")
    async def join(request: Request, game_id: str) -> Response:
        wish = read_as(JoinGame, await request.body() or b"{}", "request")
        game = await live_games.find(game_id, address_of(request))
        placed = await reception.join(game, wish, await who(request))
        answer: dict[str, Any] = {"snapshot": snapshot(game), "shareUrl": link_to(request, game)}
        if placed is None:
            return as_json({"role": "spectator", **answer})
        return as_json({"role": "player", "seat": "joiner", **seat_of(placed), **answer})

    @routes.post("/api/games/{game_id}/abort")
    async def abort(request: Request, game_id: str) -> Response:
        token = (await read_body(request, WithToken)).token
        game = await live_games.find(game_id, address_of(request))
        game.side_of(token)
        await game.do(lambda table, now: table.abort(now))
        return as_json({"success": True, "snapshot": snapshot(game)})

    @routes.post("/api/games/{game_id}/ready")
    async def ready(request: Request, game_id: str) -> Response:
        token = (await read_body(request, WithToken)).token
        game = await live_games.find(game_id, address_of(request))
        game.side_of(token)
        return as_json({"success": True, "snapshot": snapshot(game)})

    return routes


def _add_lists(routes: APIRouter, lists: Lists) -> None:
    @routes.get("/api/games/matchmaking")
    async def matchmaking() -> Response:
        return as_json({"games": lists.open_seats()})

    @routes.get("/api/games/live")
    async def live() -> Response:
        return as_json({"games": lists.live_games()})


def _add_views(routes: APIRouter, live_games: LiveGames) -> None:
    @routes.get("/api/games/{game_id}")
    async def access(request: Request, game_id: str, token: str | None = None) -> Response:
        try:
            game = await live_games.find(game_id, address_of(request))
        except NotHere:
            return as_json({"kind": "not-found"}, 200, UNKEPT)
        return as_json(_access(game, token) | {"shareUrl": link_to(request, game)}, 200, UNKEPT)

    @routes.get("/api/games/{game_id}/plies/{ply}")
    async def view(request: Request, game_id: str, ply: str) -> Response:
        game = await live_games.find(game_id, address_of(request))
        if not ply.isdecimal() or len(ply) > 6:
            raise NotHere(f"The game has plies 0 to {game.table.settled}, not {ply[:20]!r}.")
        return as_json(ply_view(game, int(ply)))


def _access(game: LiveGame, token: str | None) -> dict[str, Any]:
    """Return how somebody stands to a game who opens its address."""
    found: dict[str, Any] = {
        "gameId": game.id,
        "matchType": "matchmaking" if game.row.kind == "lobby" else "friend",
        "matchStatus": snapshot(game),
    }
    try:
        side = game.side_of(token)
    except NotYours:
        side = None
    if game.table.over:
        aborted = game.table.result is not None and game.table.result.reason == "aborted"
        if aborted and any(seat.kind == "open" for seat in game.seats):
            return found | {"kind": "waiting", "reason": "host-aborted"}
        return found | {"kind": "replay", "state": serialized_state(game)}
    if side is not None:
        role = "host" if game.seats[side].host else "joiner"
        seat = {"role": role, "playerId": side + 1, "token": token, "socketToken": token}
        return found | {"kind": "player", "seat": seat, "state": serialized_state(game)}
    if game.table.waiting:
        return found | {"kind": "waiting", "reason": "seat-not-filled"}
    return found | {"kind": "spectator", "state": serialized_state(game)}
