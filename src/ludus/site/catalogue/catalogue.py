"""The catalogue: games and boards that can be played, with titles, one-line rules and bots."""

import importlib
import re
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

import msgspec

from ludus.errors import BadInput, LudusError
from ludus.games import registry
from ludus.games.board import Board
from ludus.games.game import Game
from ludus.protocol.attach import FIXED_SIZE
from ludus.protocol.registration import BoardSize, BotConfig
from ludus.protocol.spec import Setting, plain_spec, setting_of, spec_in_play
from ludus.site.bots.bots import BotKey, Bots, is_private, may_play
from ludus.site.catalogue.choices import CHOICES
from ludus.site.faults import NotHere
from ludus.site.messages.page import Catalogue, CatalogueBot, CatalogueGame
from ludus.site.messages.requests import BoardConfig

UNRANKED = 1_000_000  # list order of bots that declare none: they come last


class GameWords(NamedTuple):
    """Title, one-line rules and example moves of a game in the catalogue."""

    title: str
    summaries: dict[str, str]
    """The rules in one line, by variant."""
    example: str = ""
    """Moves to the position drawn in the catalogue; on a small board, only the first legal ones are played."""


WORDS = {
    "wallgame": GameWords(
        "Wall Game",
        {
            "standard": "Catch the other player's mouse with your cat; two steps or walls a turn.",
            "classic": "Bring your cat home before the other cat is home; two steps or walls a turn.",
            "freestyle": "Catch the other player's mouse; a new random start every time.",
        },
        example=">b3.^c3 ^b2.>d4 >c1.^d2",
    ),
    "chess": GameWords(
        "Chess",
        {"standard": "Checkmate the other king.", "960": "Chess with a shuffled first rank."},
        example="e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6",
    ),
    "go": GameWords("Go", {"standard": "Surround more of the board."}, example="C5 G5 E3 E7 G3 C7 F6 F7 D6"),
    "gomoku": GameWords(
        "Gomoku",
        {
            "freestyle": "Place stones; five or more of yours in a line win.",
            "standard": "Place stones; exactly five of yours in a line win.",
            "renju": "Five in a line win; some points are forbidden for Black.",
        },
        example="e5 f6 e6 e7 d5 f5 c4 f7 f4 d7 g4",
    ),
    "connect4": GameWords(
        "Connect Four", {"standard": "Drop discs; four of yours in a line win."}, example="4 4 3 5 5 3 2 4 3 3 6"
    ),
    "tictactoe": GameWords("Tic-tac-toe", {"standard": "Three of yours in a line win."}, example="b2 a3 c1 a1 a2"),
}

BOARDS = (
    ("wallgame", "classic", 8, 8),
    ("wallgame", "standard", 8, 8),
    ("wallgame", "freestyle", 12, 10),
    ("connect4", "standard", 7, 6),
    ("tictactoe", "standard", 3, 3),
    ("gomoku", "freestyle", 15, 15),
    ("go", "standard", 9, 9),
    ("chess", "standard", 8, 8),
)
"""Game, variant, width and height of boards that are listed even without a bot, since two people can play them."""

UNNAMED, FIRST_AND_SECOND = ("Player 1", "Player 2"), ("First", "Second")
"""Default names of the players in the rules, and the names that the page shows in their place."""
USUAL_SIZE = BoardSize(8, 8)
"""Board size of games that have several options but no size in their names: chess."""

SMALLEST = 3
"""Smallest width and height that bots declare; smaller boards are declared with this size."""


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

    Args:
        attached: all bots, each with whether it is official.
        files: paths of game files that the site offers besides the built-in games.
        account: name of an account whose private bots to include; None: only public bots.
    """
    seen = [entry for entry in attached if may_play(entry[1], account)]
    seen.sort(key=lambda entry: (not entry[2], _rank(entry[1]), entry[1].name, str(entry[0])))
    return [BotOffer(key, bot, official, offer) for key, bot, official in seen for offer in offers(bot, files)]


def catalogue(offered: list[BotOffer], files: tuple[str, ...] = (), arranged: Collection[str] = ()) -> Catalogue:
    """Return all games that can be played, each with the bots that recommend it.

    Args:
        offered: the boards that bots recommend.
        files: paths of game files that the site offers besides the built-in games.
        arranged: short names of games whose positions can be set up piece by piece.
    """
    games: dict[str, CatalogueGame] = {}
    for key, bot, official, offer in offered:
        game = games.get(offer.spec) or games.setdefault(offer.spec, _entry(bot.game, offer, arranged))
        listed = CatalogueBot(str(key), bot.name, bot.level, _rank(bot), official=official, private=is_private(bot))
        game.bots.append(listed)
    for name, variant, width, height in BOARDS:
        size = BoardSize(width, height)
        spec = _spec_of(name, variant, size, files)
        if spec and spec not in games:
            games[spec] = _entry(name, BoardOffer(spec, variant, size), arranged)
    return Catalogue(sorted(games.values(), key=_place), CHOICES)


def spec_for(game: str, variant: str, width: int, height: int, files: tuple[str, ...]) -> str:
    """Return the full name of a game with a variant and a board size; raises BadInput if the site has none."""
    spec = _spec_of(game, variant, BoardSize(width, height), files)
    if spec is None:
        raise BadInput(f"This site has no game {game!r}, {variant!r}, on a {width}x{height} board.")
    return spec


def between_people(spec: str) -> str:
    """Return the name of a game for two people: in Go, they mark dead stones after the last pass."""
    return f"{spec}:marking" if setting_of(spec).game == "go" else spec


def known_spec(spec: str, files: tuple[str, ...]) -> str | None:
    """Return the catalogue's spelling of a game's name; None if the site does not have the game.

    Names of recorded games are accepted, too: chess with `play-on`, Go with any rules, the Wall Game with an earlier
    edition, and any size.  `game:variant:WxH` becomes the game's own spelling.  Options for networks, and options that
    the site adds to every game, are dropped.
    """
    plain, setting = plain_spec(spec), setting_of(spec)
    size = _size_of(setting)
    found = size and _spec_of(setting.game, setting.variant, size, files)
    if not size or not found:
        return None
    if plain == f"{setting.game}:{setting.variant}:{size.board_width}x{size.board_height}":
        return found
    recorded = plain.removesuffix(":play-on").removesuffix(":2026-01")
    is_own = recorded in (found, between_people(found)) or (setting.game == "go" and recorded.startswith(f"{found}:"))
    return plain if is_own else None


class Chosen(NamedTuple):
    """A bot that was chosen as an opponent, with the game to play."""

    key: BotKey
    name: str
    """The name that people see."""
    spec: str
    """The full name of the game."""
    private: bool
    """Whether only the owner's account can play this bot."""


def bot_for(bots: Bots, name: str, config: BoardConfig, account: str | None = None) -> Chosen:
    """Return the bot with this name, for a game on the given board.

    Args:
        bots: the attached bots.
        name: `CLIENT:BOT`.
        config: the game, variant and board size.
        account: the name of the account that wants to play; None: a guest.

    Raises:
        NotHere: the bot is not attached, or is private and belongs to another account.
        BadInput: the bot does not play this game on this board.
    """
    client_id, _, bot_id = name.partition(":")
    key = BotKey(client_id, bot_id)
    found = bots.find(key)
    if found is None or not may_play(found[1], account):
        raise NotHere(f"The bot {name!r} is not connected; it may be reconnecting. Choose another, or wait.")
    bot, width, height = found[1], config.board_width, config.board_height
    support = bot.variants.get(config.variant) if bot.game == config.game else None
    if support is None or not support.plays(width, height):
        raise BadInput(
            f"{bot.name} does not play {config.game}, {config.variant}, on {width}x{height}; choose another bot."
        )
    spec = spec_for(config.game, config.variant, width, height, bots.settings.games)
    return Chosen(key, bot.name, spec, is_private(bot))


def table_game(spec: str) -> Game:
    """Return the game for play on the site, with the options that the site adds to every game."""
    return registry.game(spec_in_play(spec))


def title_of(spec: str) -> str:
    """Return a game's title, such as "Wall Game"."""
    setting = setting_of(spec)
    return WORDS[setting.game].title if setting.game in WORDS else setting.game.replace("_", " ").capitalize()


def summary_of(game: str, variant: str) -> str:
    """Return a game's rules in one line; "" if there is no such text."""
    summaries = WORDS[game].summaries if game in WORDS else {}
    return summaries.get(variant) or summaries.get("standard") or _first_sentence(game)


def full_title_of(spec: str) -> str:
    """Return a game's title, with its variant if the game has several."""
    setting = setting_of(spec)
    several = setting.game in WORDS and len(WORDS[setting.game].summaries) > 1
    return title_of(spec) + (f", {setting.variant}" if several or setting.variant != "standard" else "")


def offers(bot: BotConfig, files: tuple[str, ...] = ()) -> Iterator[BoardOffer]:
    """Yield the boards that a bot recommends, except those that the site does not have."""
    for variant, support in bot.variants.items():
        is_fixed = (bot.game, variant) == FIXED_SIZE
        fixed = [BoardSize(12, 10)] if is_fixed and support.plays(12, 10) else []
        for size in support.recommended or fixed:
            spec = _spec_of(bot.game, variant, size, files)
            if spec:
                yield BoardOffer(spec, variant, size)


def _size_of(setting: Setting) -> BoardSize | None:
    """Return the board size of a game, also if its name has none; None if the site has no such board."""
    if setting.width and setting.height:
        return BoardSize(setting.width, setting.height)
    chosen = next((choices for choices in CHOICES if choices.game == setting.game), None)
    if chosen is not None:
        return USUAL_SIZE if setting.variant in {variant.value for variant in chosen.variants} else None
    boards = (BoardSize(*size) for game, variant, *size in BOARDS if (game, variant) == (setting.game, setting.variant))
    return next(boards, None)


@lru_cache(maxsize=1024)
def _spec_of(game: str, variant: str, size: BoardSize, files: tuple[str, ...]) -> str | None:
    """Return the full name of a game with a variant and a board size; None if the site has no such game."""
    known = registry.name_told(game, files)
    if known is None or not re.fullmatch(r"[a-z0-9-]{1,40}", variant):
        return None
    extent = f"{size.board_width}x{size.board_height}"
    unnamed = (f":{extent}", "") if variant == "standard" else ()
    rule, opening = variant.removesuffix("-swap2"), ":swap2" if variant.endswith("-swap2") else ""
    for parts in (f":{rule}:{extent}{opening}", f":{variant}", f":{extent}:{variant}", *unnamed):
        try:
            board = registry.game(known + parts).start().describe()
        except (LudusError, ValueError):  # the parse function of a game file may raise either
            continue
        drawn = (max(SMALLEST, board.columns), max(SMALLEST, board.rows))  # the size that bots declare
        fits = (board.columns, board.rows) == (0, 0) or drawn == (size.board_width, size.board_height)
        if fits and setting_of(known + parts).variant == variant:  # not an option of the same name
            return known + parts
    return None


def _entry(game: str, offer: BoardOffer, arranged: Collection[str]) -> CatalogueGame:
    """Return a new catalogue entry with an empty list of bots."""
    return msgspec.structs.replace(_shown(game, offer), arranges=game in arranged, bots=[])


@lru_cache(maxsize=4096)  # more than the number of boards, so that each is drawn only once
def _shown(game: str, offer: BoardOffer) -> CatalogueGame:
    width, height = offer.size.board_width, offer.size.board_height
    drawing = _drawing(offer.spec)
    players = table_game(offer.spec).players
    if players == UNNAMED:
        players = FIRST_AND_SECOND
    return CatalogueGame(
        offer.spec,
        game,
        title_of(offer.spec),
        offer.variant,
        width,
        height,
        summary_of(game, offer.variant),
        drawing,
        players,
        arranges=False,
        bots=[],
    )


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
    """Return the first line of the docstring of a built-in game's module; "" for other games."""
    if game not in registry.BUILT_IN:
        return ""
    doc = importlib.import_module(f"ludus.games.{game}").__doc__ or ""
    return doc.strip().split("\n")[0]


def _rank(bot: BotConfig) -> int:
    return UNRANKED if bot.list_order is None else bot.list_order


def place_of(game: str) -> int:
    """Return the rank of a game in lists; games that are not built in come last."""
    return list(WORDS).index(game) if game in WORDS else len(WORDS)


def _place(game: CatalogueGame) -> tuple[int, int, str, int, str]:
    usual = [variant.value for choices in CHOICES if choices.game == game.game for variant in choices.variants]
    place = usual.index(game.variant) if game.variant in usual else len(usual)
    return place_of(game.game), place, game.variant, game.board_width * game.board_height, game.spec
