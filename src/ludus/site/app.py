"""The site as an ASGI application: the catalogue, games, positions, the two sockets and the page."""

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec
from fastapi import FastAPI, Request, Response

from ludus.errors import BadInput, LudusError, Unavailable
from ludus.protocol.bgs import ServerInfo
from ludus.site.bots import Bots
from ludus.site.catalogue import catalogue
from ludus.site.hall import Hall
from ludus.site.messages import MAX_BYTES, Fault, Seat, read_new_game
from ludus.site.origin import is_welcome
from ludus.site.page import PAGE, Page
from ludus.site.settings import SiteSettings
from ludus.site.sockets import socket_routes
from ludus.site.study_routes import study_routes

SWEEP_S = 10.0


class Site:
    """The parts of a running site."""

    def __init__(self, settings: SiteSettings) -> None:
        self.settings = settings
        self.bots = Bots(settings, ServerInfo("ludus", version("ludus")))
        self.hall = Hall(self.bots, settings, time.monotonic)


def create_app(settings: SiteSettings | None = None, page: Path = PAGE) -> FastAPI:
    """Return the application; its parts are at `app.state.site`.

    Args:
        settings: limits and times.
        page: the folder of the built page.
    """
    site = Site(settings or SiteSettings())

    @contextlib.asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncGenerator[None]:
        sweeper = asyncio.create_task(_sweep(site.hall))
        yield
        sweeper.cancel()
        await site.hall.close()

    app = FastAPI(title="Ludus", lifespan=lifespan, docs_url=None, redoc_url=None)
    app.state.site = site
    app.include_router(study_routes(lambda: {game.spec for game in catalogue(site.bots).games}))
    _add_routes(app, site)
    app.include_router(socket_routes(site.bots, site.hall, site.settings))
    app.mount("/", Page(page))

    @app.exception_handler(LudusError)
    async def fault(_request: Request, error: LudusError) -> Response:  # pyright: ignore[reportUnusedFunction]
        return _json(Fault(str(error)), 503 if isinstance(error, Unavailable) else 400)

    return app


def _add_routes(app: FastAPI, site: Site) -> None:
    @app.get("/api/health")
    async def health() -> dict[str, Any]:  # pyright: ignore[reportUnusedFunction] - FastAPI calls it
        return {"status": "ok", "games": site.hall.num_playing, "bots": len(site.bots.all())}

    @app.get("/api/catalogue")
    async def games() -> Response:  # pyright: ignore[reportUnusedFunction]
        return _json(catalogue(site.bots))

    @app.post("/api/games")
    async def open_game(request: Request) -> Response:  # pyright: ignore[reportUnusedFunction]
        headers = request.headers
        if not is_welcome(headers.get("origin"), headers.get("host"), site.settings.allowed_origins):
            return _json(Fault("Pages of other sites cannot open games here."), 403)
        body = b""
        async for chunk in request.stream():
            body += chunk
            if len(body) > MAX_BYTES:
                return _json(Fault("The request is too long."), 413)
        seat: Seat = site.hall.open(read_new_game(body))
        return _json(seat, 201)

    @app.get("/api/games/{game_id}/plies/{ply}")
    async def view(game_id: str, ply: str) -> Response:  # pyright: ignore[reportUnusedFunction]
        try:
            table = site.hall.find(game_id).table
        except BadInput as error:
            return _json(Fault(str(error)), 404)
        if not ply.isdecimal() or len(ply) > 6 or int(ply) > table.ply:
            return _json(Fault(f"The game has plies 0 to {table.ply}, not {ply[:20]!r}."), 404)
        return _json(table.view(int(ply)))

    @app.api_route("/api/{path:path}", methods=["GET", "POST", "PUT", "DELETE"])
    async def nothing(path: str) -> Response:  # pyright: ignore[reportUnusedFunction]
        return _json(Fault(f"There is nothing at /api/{path[:80]}."), 404)


def _json(message: msgspec.Struct, status: int = 200) -> Response:
    return Response(msgspec.json.encode(message), status, media_type="application/json")


async def _sweep(hall: Hall) -> None:
    while True:
        await asyncio.sleep(SWEEP_S)
        hall.sweep()
