"""The HTTP routes about bots: who is here, and games with them."""

from fastapi import Request

from ludus.errors import BadInput
from ludus.protocol.registration import BotConfig
from ludus.site.bots.bots import BotKey, Bots, is_private, may_play
from ludus.site.catalogue.listing import Listing
from ludus.site.lobby.reception import Reception
from ludus.site.messages import tables
from ludus.site.messages.page import Catalogue
from ludus.site.messages.requests import MatchBots, PlayBot
from ludus.site.people.visitors import Who
from ludus.site.routes.contract import Routes, Sent, queries, share_url

# pyright: reportUnusedFunction=false
# FastAPI calls the functions that it is shown.


def bot_routes(bots: Bots, listing: Listing, reception: Reception, who: Who) -> Routes:
    """Return the routes."""
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
        """Return the name of the account that asks; None where there are no private bots, and nobody need be known."""
        has_private = any(is_private(bot) for _, bot, _ in bots.all())
        return (await who(request)).account_name if has_private else None

    @routes.get("/api/catalogue")
    async def games(request: Request) -> Catalogue:
        return (await listing.now(await asking(request))).catalogue

    @routes.get("/api/bots", openapi_extra=queries("game", "variant", "boardWidth", "boardHeight"))
    async def matching(request: Request) -> tables.ListedBots:
        width, height = _number(request, "boardWidth"), _number(request, "boardHeight")
        found: list[tables.ListedBot] = []
        for key, bot, official in _suitable(bots, request, await asking(request)):
            support = bot.variants[_variant(request)]
            across, down = support.board_width, support.board_height
            fits = (width is None or across.min <= width <= across.max) and (
                height is None or down.min <= height <= down.max
            )
            if fits:
                found.append(_listed(key, bot, official=official))
        return tables.ListedBots(found)

    @routes.get("/api/bots/recommended", openapi_extra=queries("game", "variant"))
    async def recommended(request: Request) -> tables.RecommendedBots:
        name, variant = _game(request), _variant(request)
        offered = (await listing.now(await asking(request))).offers
        found = [each for each in offered if (each.bot.game, each.offer.variant) == (name, variant)]
        found.sort(key=lambda each: (not each.official, each.bot.name))
        return tables.RecommendedBots(
            [
                tables.RecommendedBot(
                    _listed(key, bot, official=official), offer.size.board_width, offer.size.board_height
                )
                for key, bot, official, offer in found
            ]
        )


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
