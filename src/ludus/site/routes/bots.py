"""The HTTP routes of bots: lists of bots, the catalogue of games, and games against or between bots."""

from typing import TypeVar

from fastapi import Request

from ludus.errors import BadInput
from ludus.games import MAIN_GAME
from ludus.protocol.registration import BotConfig, VariantSupport
from ludus.site.bots.bots import BotKey, Bots, is_private, may_play
from ludus.site.catalogue.listing import Listing
from ludus.site.lobby.reception import Reception
from ludus.site.messages import tables
from ludus.site.messages.page import Catalogue
from ludus.site.messages.reading import page_number
from ludus.site.messages.requests import MatchBots, PlayBot
from ludus.site.people.visitors import Who
from ludus.site.routes.contract import Routes, Sent, queries, share_url

# pyright: reportUnusedFunction=false
# FastAPI calls the handlers.

PAGE = 50
"""Most bots in one response."""
_Found = TypeVar("_Found")


def bot_routes(bots: Bots, listing: Listing, reception: Reception, who: Who) -> Routes:
    """Return the routes of bots and the catalogue."""
    routes = Routes()
    _add_lists(routes, bots, listing, who)

    @routes.post("/api/bots/play", status_code=201)
    async def play_bot(request: Request, wanted: Sent[PlayBot]) -> tables.BotGameOpened:
        placed = await reception.play_bot(wanted, await who(request))
        return tables.BotGameOpened(
            game_id=placed.game.id,
            player_id=placed.side + 1,
            token=placed.token,
            socket_token=placed.token,
            share_url=share_url(request, placed.game.id),
        )

    @routes.post("/api/bots/match", status_code=201)
    async def match_bots(request: Request, wanted: Sent[MatchBots]) -> tables.MatchOpened:
        game = await reception.match_bots(wanted, await who(request))
        return tables.MatchOpened(game.id, share_url(request, game.id))

    return routes


def _add_lists(routes: Routes, bots: Bots, listing: Listing, who: Who) -> None:
    async def asking(request: Request) -> str | None:
        """Return the name of the visitor's account; None for guests, and if there are no private bots to show."""
        has_private = any(is_private(bot) for _, bot, _ in bots.all())
        return (await who(request)).account_name if has_private else None

    @routes.get("/api/catalogue")
    async def games(request: Request) -> Catalogue:
        return (await listing.now(await asking(request))).catalogue

    @routes.get("/api/bots", openapi_extra=queries("boardWidth", "boardHeight"))
    async def matching(
        request: Request, game: str = MAIN_GAME, variant: str = "standard", page: str = "1"
    ) -> tables.ListedBots:
        width, height, account = _number(request, "boardWidth"), _number(request, "boardHeight"), await asking(request)
        found = [
            each
            for each in sorted(bots.all(), key=lambda each: (not each[2], each[1].name))
            if may_play(each[1], account)
            and each[1].game == game
            and _fits(each[1].variants.get(variant), width, height)
        ]
        shown, number, pages = _page(found, page)
        return tables.ListedBots([_listed(key, bot, official=official) for key, bot, official in shown], number, pages)

    @routes.get("/api/bots/recommended")
    async def recommended(
        request: Request, game: str = MAIN_GAME, variant: str = "standard", page: str = "1"
    ) -> tables.RecommendedBots:
        offered = (await listing.now(await asking(request))).offers
        found = [each for each in offered if (each.bot.game, each.offer.variant) == (game, variant)]
        found.sort(key=lambda each: (not each.official, each.bot.name))
        shown, number, pages = _page(found, page)
        told = [
            tables.RecommendedBot(_listed(key, bot, official=official), offer.size.board_width, offer.size.board_height)
            for key, bot, official, offer in shown
        ]
        return tables.RecommendedBots(told, number, pages)


def _page(found: list[_Found], page: str) -> tuple[list[_Found], int, int]:
    """Return the entries of a page, its number, and the number of pages; raises BadInput."""
    number = page_number(page)
    return found[PAGE * (number - 1) : PAGE * number], number, -(-len(found) // PAGE)


def _fits(support: VariantSupport | None, width: int | None, height: int | None) -> bool:
    """Return whether a bot plays a variant on a board of this size; None matches every width or height."""
    if support is None:
        return False
    across, down = support.board_width, support.board_height
    return (width is None or across.min <= width <= across.max) and (height is None or down.min <= height <= down.max)


def _number(request: Request, name: str) -> int | None:
    text = request.query_params.get(name)
    if text is None:
        return None
    if not text.isdecimal() or len(text) > 3:
        raise BadInput(f"{name}: {text[:20]!r} is not a number of cells.")
    return int(text)


def _listed(key: BotKey, bot: BotConfig, *, official: bool) -> tables.ListedBot:
    return tables.ListedBot(
        id=str(key),
        client_id=key.client_id,
        bot_id=key.bot_id,
        name=bot.name,
        is_official=official,
        is_private=is_private(bot),
        game=bot.game,
        level=bot.level,
        appearance=bot.appearance,
        variants=bot.variants,
    )
