"""The HTTP routes about bots: who is here, and games with them."""

from typing import Any

from fastapi import APIRouter, Request, Response

from ludus.errors import BadInput
from ludus.protocol.registration import BotConfig
from ludus.site.bots.bots import BotKey, Bots
from ludus.site.bots.private import is_private, may_play
from ludus.site.catalogue.listing import Listing
from ludus.site.lobby.reception import Reception
from ludus.site.messages.reading import read_body
from ludus.site.messages.requests import MatchBots, PlayBot
from ludus.site.people.visitors import Who
from ludus.site.routes.answers import as_json, link_to, seat_of

# pyright: reportUnusedFunction=false
# FastAPI calls the functions that it is shown.


def bot_routes(bots: Bots, listing: Listing, reception: Reception, who: Who) -> APIRouter:
    """Return the routes; what they cannot do raises LudusError, for which the application has an answer."""
    routes = APIRouter()
    _add_lists(routes, bots, listing, who)

    @routes.post("/api/bots/play")
    async def play_bot(request: Request) -> Response:
        placed = await reception.play_bot(await read_body(request, PlayBot), await who(request))
        seat = {"gameId": placed.game.id, "role": "host", **seat_of(placed), "shareUrl": link_to(request, placed.game)}
        return as_json(seat, 201)

    @routes.post("/api/bots/match")
    async def match_bots(request: Request) -> Response:
        game = await reception.match_bots(await read_body(request, MatchBots), await who(request))
        return as_json({"gameId": game.id, "shareUrl": link_to(request, game)}, 201)

    return routes


def _add_lists(routes: APIRouter, bots: Bots, listing: Listing, who: Who) -> None:
    async def asking(request: Request) -> str | None:
        """Return the name of the account that asks; None where there are no private bots, and nobody need be known."""
        has_private = any(is_private(bot) for _, bot, _ in bots.all())
        return (await who(request)).account_name if has_private else None

    @routes.get("/api/catalogue")
    async def games(request: Request) -> Response:
        return as_json((await listing.now(await asking(request))).catalogue)

    @routes.get("/api/bots")
    async def matching(request: Request) -> Response:
        width, height = _number(request, "boardWidth"), _number(request, "boardHeight")
        found: list[dict[str, Any]] = []
        for key, bot, official in _suitable(bots, request, await asking(request)):
            support = bot.variants[_variant(request)]
            across, down = support.board_width, support.board_height
            fits = (width is None or across.min <= width <= across.max) and (
                height is None or down.min <= height <= down.max
            )
            if fits:
                found.append(_listed(key, bot, official=official))
        return as_json({"bots": found})

    @routes.get("/api/bots/recommended")
    async def recommended(request: Request) -> Response:
        name, variant = _game(request), _variant(request)
        offered = (await listing.now(await asking(request))).offers
        found = [each for each in offered if (each.bot.game, each.offer.variant) == (name, variant)]
        found.sort(key=lambda each: (not each.official, each.bot.name))
        entries = [
            {
                "bot": _listed(key, bot, official=official),
                "boardWidth": offer.size.board_width,
                "boardHeight": offer.size.board_height,
            }
            for key, bot, official, offer in found
        ]
        return as_json({"bots": entries})


def _suitable(bots: Bots, request: Request, account: str | None) -> list[tuple[BotKey, BotConfig, bool]]:
    """Return the bots that play a variant of a game with whoever asks; the site's own first."""
    name, variant = _game(request), _variant(request)
    found = [
        each
        for each in bots.all()
        if may_play(each[1], account) and each[1].game == name and variant in each[1].variants
    ]
    return sorted(found, key=lambda each: (not each[2], each[1].name))


def _game(request: Request) -> str:
    return request.query_params.get("game", "wallgame")


def _variant(request: Request) -> str:
    return request.query_params.get("variant", "standard")


def _number(request: Request, name: str) -> int | None:
    text = request.query_params.get(name)
    if text is None:
        return None
    if not text.isdecimal() or len(text) > 3:
        raise BadInput(f"{name}: {text[:20]!r} is not a number of cells.")
    return int(text)


def _listed(key: BotKey, bot: BotConfig, *, official: bool) -> dict[str, Any]:
    return {
        "id": str(key),
        "clientId": key.client_id,
        "botId": key.bot_id,
        "name": bot.name,
        "isOfficial": official,
        "isPrivate": is_private(bot),
        "game": bot.game,
        "level": bot.level,
        "appearance": bot.appearance,
        "variants": bot.variants,
    }
