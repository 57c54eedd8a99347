"""The catalogue: games and boards that can be played, with titles, one-line rules and bots."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

import msgspec

from ludus.errors import BadInput
from ludus.games import registry
from ludus.games.about import STANDARD, Named, Variant
from ludus.games.board import Board
from ludus.games.registry import about
from ludus.paths import spec_parts
from ludus.protocol.registration import BoardSize, BotConfig
from ludus.protocol.spec import setting_of
from ludus.site.bots.bots import BotKey, Bots, is_private, may_play
from ludus.site.bots.in_browser import is_in_browser
from ludus.site.catalogue.specs import (
    drawn_size,
    place_of,
    sides_of,
    spec_for,
    spec_of,
    summary_of,
    table_game,
    title_of,
)
from ludus.site.faults import NotHere
from ludus.site.messages.page import Catalogue, CatalogueBot, CatalogueGame, Choices
from ludus.site.messages.requests import BoardConfig

UNRANKED = 1_000_000  # list order of bots that declare none: they come last


class BoardOffer(NamedTuple):
    """A game with a variant and a board size."""

    spec: str
    variant: str
    size: BoardSize


class BotOffer(NamedTuple):
    """A game that a bot recommends."""

    key: BotKey
    bot: BotConfig
    official: bool
    offer: BoardOffer


def bot_offers(
    attached: Iterable[tuple[BotKey, BotConfig, bool]], files: tuple[str, ...] = (), account: str | None = None
) -> list[BotOffer]:
    """Return the boards that bots recommend, official bots first, then in the bots' list order.

    Bots of single generations of a training run are left out: they are too many for lists.

    Args:
        attached: all bots, each with whether it is official.
        files: paths of game files that the site offers besides the built-in games.
        account: name of an account whose private bots to include; None: only public bots.
    """
    seen = [entry for entry in attached if may_play(entry[1], account) and entry[1].placement != "training"]
    seen.sort(key=lambda entry: (not entry[2], _rank(entry[1]), entry[1].name, str(entry[0])))
    return [BotOffer(key, bot, official, offer) for key, bot, official in seen for offer in offers(bot, files)]


def catalogue(offered: list[BotOffer], files: tuple[str, ...] = ()) -> Catalogue:
    """Return all games that can be played, each with the bots that recommend it.

    Args:
        offered: the boards that bots recommend.
        files: paths of game files that the site offers besides the built-in games.
    """
    games: dict[str, CatalogueGame] = {}
    for key, bot, official, offer in offered:
        game = games.get(offer.spec) or games.setdefault(offer.spec, _entry(bot.game, offer))
        listed = CatalogueBot(
            str(key),
            bot.name,
            bot.level,
            _rank(bot),
            official=official,
            private=is_private(bot),
            strength=bot.strength,
            strength_source=bot.strength_source,
            appearance=bot.appearance,
            max_seconds=int(bot.max_seconds),
            in_browser=is_in_browser(str(key)),
        )
        game.bots.append(listed)
    for name in (*registry.names(), *files):
        for offer in _listed_anyway(name, files):
            games.setdefault(offer.spec, _entry(setting_of(name).game, offer))
    shown = {each.game: each.spec for each in games.values()}
    choices = [found for game, spec in shown.items() if (found := _choices(game, spec))]
    return Catalogue(sorted(games.values(), key=_place), choices)


def _listed_anyway(name: str, files: tuple[str, ...]) -> Iterator[BoardOffer]:
    """Yield the boards of a game that are listed even if no bot plays them: those declared, or a file's usual one."""
    usual = drawn_size(name) if name in files else None  # loads the file, so that its description is known below
    for variant in about(name).variants or (Variant(STANDARD),):
        size = BoardSize(*variant.board) if variant.board else usual
        if size and (spec := spec_of(registry.told_name(name), variant.value, size, files)):
            yield BoardOffer(spec, variant.value, size)


def _choices(game: str, spec: str) -> Choices | None:
    """Return the options for opening a game, given one of its full names; None if there are none."""
    told = about(spec)
    if not told.sizes and not told.setup:
        return None
    variants = [Named(each.value, each.name or each.value.capitalize()) for each in told.variants if each.listed]
    plain = ":".join(part for part in spec_parts(spec) if not told.opening or part != told.opening.value)
    return Choices(game, variants, [*told.sizes], [*told.setup], sides_of(table_game(plain)), told.opening)


class Chosen(NamedTuple):
    """A bot that was chosen as an opponent, with the game to play."""

    key: BotKey
    name: str
    """The name that people see."""
    spec: str
    """The full name of the game."""
    private: bool
    """Whether only the owner's account can play this bot."""
    appearance: dict[str, str]
    max_seconds: float
    """How long it can be asked to think about a move; 0: not at all."""
    in_browser: bool = False
    """Whether it thinks in the browser of its opponent."""


def bot_for(bots: Bots, name: str, config: BoardConfig, account: str | None = None) -> Chosen:
    """Return the bot with this name, for a game on the given board.

    Args:
        bots: the bots.
        name: `CLIENT:BOT`.
        config: the game, variant and board size.
        account: the name of the account that wants to play; None: a guest.

    Raises:
        NotHere: the bot is not here, or is private and belongs to another account.
        BadInput: the bot does not play this game on this board.
    """
    client_id, _, bot_id = name.partition(":")
    key = BotKey(client_id, bot_id)
    found, own = bots.find(key), bots.in_browser.find(name)
    bot = own.config if own else found[1] if found else None
    if bot is None or not may_play(bot, account):
        raise NotHere(f"The bot {name!r} is not connected; it may be reconnecting. Choose another, or wait.")
    width, height = config.board_width, config.board_height
    support = bot.variants.get(config.variant) if bot.game == config.game else None
    if support is None or not support.plays(width, height):
        raise BadInput(
            f"{bot.name} does not play {config.game}, {config.variant}, on {width}x{height}; choose another bot."
        )
    spec = spec_for(config.game, config.variant, width, height, bots.settings.games)
    if not bots.plays(key, config.variant, BoardSize(width, height)):
        raise BadInput(f"{bot.name} cannot think about this board in a browser yet. Wait, or choose another board.")
    return Chosen(key, bot.name, spec, is_private(bot), bot.appearance, bot.max_seconds, in_browser=own is not None)


def offers(bot: BotConfig, files: tuple[str, ...] = ()) -> Iterator[BoardOffer]:
    """Yield the boards that a bot recommends, except those that the site does not have."""
    known = registry.name_told(bot.game, files)
    for variant, support in bot.variants.items():
        declared = about(known).variant(variant) if known else None
        fixed = declared.board if declared and declared.fixed else None
        for size in support.recommended or ([BoardSize(*fixed)] if fixed and support.plays(*fixed) else []):
            spec = spec_of(bot.game, variant, size, files)
            if spec:
                yield BoardOffer(spec, variant, size)


def _entry(game: str, offer: BoardOffer) -> CatalogueGame:
    """Return a new catalogue entry with an empty list of bots."""
    return msgspec.structs.replace(_shown(game, offer), bots=[])


@lru_cache(maxsize=4096)  # more than the number of boards, so that each is drawn only once
def _shown(game: str, offer: BoardOffer) -> CatalogueGame:
    width, height = offer.size.board_width, offer.size.board_height
    drawing = _drawing(offer.spec)
    players = sides_of(table_game(offer.spec))
    return CatalogueGame(
        offer.spec,
        game,
        title_of(offer.spec),
        offer.variant,
        width,
        height,
        summary_of(offer.spec),
        drawing,
        players,
        arranges=about(offer.spec).editor is not None,
        bots=[],
    )


def _drawing(spec: str) -> Board:
    position = table_game(spec).start()
    for move in about(spec).example.split():
        try:
            position = position.play(move)
        except BadInput:  # the board is too small for this move
            break
    return msgspec.structs.replace(position.describe(), choices=[], marks=[])


def _rank(bot: BotConfig) -> int:
    return UNRANKED if bot.list_order is None else bot.list_order


def _place(game: CatalogueGame) -> tuple[int, int, str, int, str]:
    values = [each.value for each in about(game.spec).variants]
    place = values.index(game.variant) if game.variant in values else len(values)
    return place_of(game.game), place, game.variant, game.board_width * game.board_height, game.spec
