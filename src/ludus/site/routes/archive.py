"""The HTTP routes of finished games: search, replays, game records as text, and links that carry a game."""

from collections.abc import Callable
from functools import partial

from fastapi import Request

from ludus.games.annotations import GameTree
from ludus.site.archive.replay import Lines, ReplayedGame, finished_game, link_to
from ludus.site.archive.search import ArchiveQuery, find_games, game_summary, read_wish
from ludus.site.archive.showcase import Showcase
from ludus.site.archive.texts import read_text, write_text
from ludus.site.database.database import Database
from ludus.site.database.games import GameStore
from ludus.site.faults import NotHere
from ludus.site.messages.archive import FinishedGames, GameSummary, GameText, LinkTold, Replay, ReplayLink
from ludus.site.messages.page import PlyView
from ludus.site.routes.contract import Routes, Sent, TextFile, as_file, queries
from ludus.site.safety.fair_queue import FairQueue, WorkerThreads
from ludus.site.safety.limits import address_of

# pyright: reportUnusedFunction=false
# FastAPI calls the handlers.

FILTERS = (*(name for name in ArchiveQuery._fields if name not in ("begin", "end")), "from", "to")
SEARCHES = 2
"""Searches that run at a time: a search over many games is slow, and the database has few connections."""


def archive_routes(
    database: Callable[[], Database], lines: Lines, threads: WorkerThreads, files: tuple[str, ...] = ()
) -> Routes:
    """Return the routes of finished games.

    Args:
        database: raises Unavailable before the site is open.
        lines: the replayed games.
        threads: the worker threads that read and write texts.
        files: paths of game files that the site offers besides the built-in games.
    """
    routes = Routes()
    searches = FairQueue(SEARCHES)
    _add_shared(routes, lines, threads, files)
    _add_shown(routes, lines)

    @routes.get("/api/archive", openapi_extra=queries(*FILTERS))
    async def archive(request: Request) -> FinishedGames:
        wish = read_wish(dict(request.query_params))
        async with searches.place(address_of(request)):
            return await find_games(database(), wish, files)

    async def kept(request: Request, game_id: str) -> tuple[GameSummary, ReplayedGame]:
        row = await finished_game(database(), game_id)
        return await game_summary(database(), game_id, files), await lines.of_row(row, address_of(request))

    @routes.get("/api/archive/{game_id}")
    async def replay(request: Request, game_id: str) -> Replay:
        summary, line = await kept(request, game_id)
        return line.replay(summary, await GameStore(database()).evaluations(game_id))

    @routes.get("/api/archive/{game_id}/plies/{ply}")
    async def view(request: Request, game_id: str, ply: str) -> PlyView:
        line = await lines.of_row(await finished_game(database(), game_id), address_of(request))
        at = _ply(ply, line)
        values = line.evaluations(await GameStore(database()).evaluations(game_id))[: at + 1]
        return line.view(at, next((value for value in reversed(values) if value is not None), None))

    @routes.get("/api/archive/{game_id}/text")
    async def text(request: Request, game_id: str) -> TextFile:
        summary, line = await kept(request, game_id)
        return await _file(summary, line, threads, address_of(request))

    @routes.get("/api/archive/{game_id}/link")
    async def link(request: Request, game_id: str) -> LinkTold:
        summary, line = await kept(request, game_id)
        return LinkTold(link_to(line, summary))

    return routes


def _add_shared(routes: Routes, lines: Lines, threads: WorkerThreads, files: tuple[str, ...]) -> None:
    @routes.post("/api/shared")
    async def shared(request: Request, sent: Sent[ReplayLink]) -> Replay:
        line = await lines.of_link(sent.link, address_of(request))
        assert line.summary, "a link always contains a summary"
        return line.replay(line.summary, {})

    @routes.post("/api/shared/plies/{ply}")
    async def shared_view(request: Request, ply: str, sent: Sent[ReplayLink]) -> PlyView:
        line = await lines.of_link(sent.link, address_of(request))
        return line.view(_ply(ply, line), None)

    @routes.post("/api/shared/text")
    async def shared_text(request: Request, sent: Sent[ReplayLink]) -> TextFile:
        line = await lines.of_link(sent.link, address_of(request))
        assert line.summary, "a link always contains a summary"
        return await _file(line.summary, line, threads, address_of(request))

    @routes.post("/api/read")
    async def read(request: Request, sent: Sent[GameText]) -> LinkTold:
        return await lines.link_to_told(partial(read_text, sent.text, files), address_of(request))


def _add_shown(routes: Routes, lines: Lines) -> None:
    shown = Showcase()
    links: dict[int, str] = {}

    async def link_of(number: str, address: str) -> str:
        if not number.isdecimal() or len(number) > 6:
            raise NotHere(f"There is no game {number[:20]!r} to show; give a number, such as 0.")
        index = shown.index(int(number))
        if index not in links:
            links[index] = (await lines.link_to_told(partial(shown.brought, index), address)).link
        return links[index]

    @routes.get("/api/showcase/{number}")
    async def show(request: Request, number: str) -> LinkTold:
        return LinkTold(await link_of(number, address_of(request)))

    @routes.get("/api/showcase/{number}/plies/{ply}")
    async def shown_view(request: Request, number: str, ply: str) -> PlyView:
        line = await lines.of_link(await link_of(number, address_of(request)), address_of(request))
        return line.view(_ply(ply, line), None)


def _ply(text: str, line: ReplayedGame) -> int:
    last = line.last.num_actions_played
    if not text.isdecimal() or len(text) > 6 or int(text) > last:
        raise NotHere(f"The game has plies 0 to {last}, not {text[:20]!r}.")
    return int(text)


async def _file(summary: GameSummary, line: ReplayedGame, threads: WorkerThreads, address: str) -> TextFile:
    text, suffix = await threads.do(address, lambda: write_text(GameTree(line.last, line.annotations), summary))
    return as_file(text, f"{summary.game}-{summary.id or 'shared'}.{suffix}")
