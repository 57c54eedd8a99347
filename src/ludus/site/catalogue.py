"""What can be played at this moment: the games of the attached bots, with titles and rules in a line."""

import importlib
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import PurePath
from typing import NamedTuple

import msgspec

from ludus.errors import BadInput, LudusError
from ludus.games import registry
from ludus.games.board import Board
from ludus.games.game import Game
from ludus.protocol.bgs import BoardSize, BotConfig, SessionConfig
from ludus.protocol.spec import setting_of, spec_in_play
from ludus.site.bots import BotKey, Bots
from ludus.site.messages import Catalogue, CatalogueBot, CatalogueGame

UNRANKED = 1_000_000  # bots without a place in the list come last


class Words(NamedTuple):
    """How a game is presented."""

    title: str
    summaries: dict[str, str]
    """By variant."""
    example: str = ""
    """The moves that lead to the position drawn in the catalogue, as far as they are legal on a board."""


WORDS = {
    "wallgame": Words(
        "Wall Game",
        {
            "standard": "Catch the other player's mouse with your cat; two steps or walls a turn.",
            "classic": "Bring your cat home before the other cat is home; two steps or walls a turn.",
            "freestyle": "Catch the other player's mouse; a new random start every time.",
            "animal-cycle": "Cat catches mouse, mouse elephant, elephant dog, dog cat; two steps or walls a turn.",
        },
        example=">b3.^c3 ^b2.>d4 >c1.^d2",
    ),
    "connect4": Words(
        "Connect Four", {"standard": "Drop discs; four of yours in a line win."}, example="4 4 3 5 5 3 2 4 3 3 6"
    ),
    "tictactoe": Words("Tic-tac-toe", {"standard": "Three of yours in a line win."}, example="b2 a3 c1 a1 a2"),
    "gomoku": Words("Gomoku", {"standard": "Place stones; five of yours in a line win."}),
    "go": Words("Go", {"standard": "Surround more than the other player."}),
    "chess": Words("Chess", {"standard": "Mate the other king."}),
}


class Offer(NamedTuple):
    """A game that one bot plays, on one board."""

    spec: str
    variant: str
    size: BoardSize


def catalogue(bots: Bots) -> Catalogue:
    """Return every game that an attached, public bot recommends; the site's own bots first, gentle ones first."""
    games: dict[str, CatalogueGame] = {}
    order = sorted(bots.all(), key=lambda entry: (not entry[2], _rank(entry[1]), entry[1].name, str(entry[0])))
    for key, bot, _ in order:
        if bot.username is not None:
            continue
        for offer in offers(bot, bots.settings.games):
            game = games.setdefault(offer.spec, _entry(bot.game, offer))
            game.bots.append(CatalogueBot(str(key), bot.name, bot.level, _rank(bot)))
    return Catalogue(sorted(games.values(), key=_place))


def find_offer(bots: Bots, key: BotKey, spec: str) -> tuple[BotConfig, Offer]:
    """Return the bot `key` and its offer to play `spec`; raises BadInput."""
    found = bots.find(key)
    if found is None or found[1].username is not None:
        raise BadInput(f"There is no bot {str(key)!r} here at the moment; choose another.")
    bot = found[1]
    for offer in offers(bot, bots.settings.games):
        if offer.spec == spec:
            return bot, offer
    setting = setting_of(spec)
    support = bot.variants.get(setting.variant) if setting.game == bot.game else None
    if support and setting.width and setting.height and support.plays(setting.width, setting.height):
        size = BoardSize(setting.width, setting.height)
        if spec == _spec_of(bot.game, setting.variant, size, bots.settings.games):
            return bot, Offer(spec, setting.variant, size)
    raise BadInput(f"{bot.name} does not play {spec!r}; choose another game or another bot.")


def table_game(spec: str) -> Game:
    """Return the game that is played at a table."""
    return registry.game(spec_in_play(spec))


def session_config(bot: BotConfig, offer: Offer, initial_state: object) -> SessionConfig:
    """Return how a bot is told of a game."""
    return SessionConfig(offer.variant, offer.size.board_width, offer.size.board_height, initial_state, bot.game)


def title_of(spec: str) -> str:
    """Return a game's name for people."""
    setting = setting_of(spec)
    return WORDS[setting.game].title if setting.game in WORDS else setting.game.replace("_", " ").capitalize()


def offers(bot: BotConfig, files: tuple[str, ...] = ()) -> Iterator[Offer]:
    """Yield the games that a bot recommends and that this site knows.

    Args:
        bot: as its client registered it; nothing in it is trusted.
        files: paths of game files that are welcome besides the built-in games.
    """
    for variant, support in bot.variants.items():
        fixed = [BoardSize(12, 10)] if variant == "freestyle" and support.plays(12, 10) else []
        for size in support.recommended or fixed:
            spec = _spec_of(bot.game, variant, size, files)
            if spec:
                yield Offer(spec, variant, size)


@lru_cache(maxsize=1024)
def _spec_of(game: str, variant: str, size: BoardSize, files: tuple[str, ...]) -> str | None:
    """Return the name of a game that this site knows, on a board of this size; None if there is none."""
    known = {PurePath(path).stem: path for path in files} | {name: name for name in registry.names()}
    if game not in known or not re.fullmatch(r"[a-z0-9-]{1,40}", variant):
        return None
    extent = f"{size.board_width}x{size.board_height}"
    unnamed = (f":{extent}", "") if variant == "standard" else ()
    for parts in (f":{variant}:{extent}", f":{variant}", *unnamed):
        try:
            board = registry.game(known[game] + parts).start().describe()
        except (LudusError, ValueError):  # a game is free in how it reads its parts
            continue
        if (board.columns, board.rows) in ((size.board_width, size.board_height), (0, 0)):
            return known[game] + parts
    return None


def _entry(game: str, offer: Offer) -> CatalogueGame:
    size = f"{offer.size.board_width}x{offer.size.board_height}"
    summary = WORDS[game].summaries.get(offer.variant, "") if game in WORDS else _first_sentence(game)
    return CatalogueGame(offer.spec, game, title_of(offer.spec), offer.variant, size, summary, _drawing(offer.spec), [])


@lru_cache(maxsize=256)
def _drawing(spec: str) -> Board:
    words = WORDS.get(setting_of(spec).game)
    position = table_game(spec).start()
    for move in words.example.split() if words else ():
        try:
            position = position.play(move)
        except BadInput:  # the board is too small for this move
            break
    return msgspec.structs.replace(position.describe(), choices=[], marks=[])


@lru_cache(maxsize=64)
def _first_sentence(game: str) -> str:
    """Return what a built-in game's module says that it is."""
    if game not in registry.names():
        return ""
    doc = importlib.import_module(f"ludus.games.{game}").__doc__ or ""
    return doc.strip().split("\n")[0]


def _rank(bot: BotConfig) -> int:
    return UNRANKED if bot.list_order is None else bot.list_order


def _place(game: CatalogueGame) -> tuple[int, str, int, str]:
    known = list(WORDS).index(game.game) if game.game in WORDS else len(WORDS)
    width, _, height = game.size.partition("x")
    return known, game.variant, int(width) * int(height), game.spec
