"""Games that a site serves besides those of its models: whether they can be served, and why not."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ludus.errors import BadInput

if TYPE_CHECKING:
    from ludus.bot.config import BotsFile


def playable(specs: Sequence[str]) -> tuple[str, ...]:
    """Return the games that bots play without a model, without duplicates; raise BadGame or BadInput if invalid."""
    from ludus.games.registry import own_game

    for spec in specs:
        check_name("--game", Path(spec))
        own_game(spec)
    return tuple(dict.fromkeys(specs))


def unlisted(specs: Sequence[str], file: BotsFile, files: tuple[str, ...]) -> dict[str, str]:
    """Return the games from files that bots play but the page would not list, with the reasons.

    The page identifies a game by file, variant and size.
    """
    from ludus.games.registry import file_of, game
    from ludus.protocol.spec import setting_of
    from ludus.site.catalogue.catalogue import offers

    paths = {spec: path for spec in specs if (path := file_of(spec))}
    names = {setting_of(spec).game for spec in paths}
    listed = {
        (bot.game, offer.variant, *size)
        for bot in file.bots
        if bot.game in names
        for offer in offers(bot, files)
        for size in ((None, None), (offer.size.board_width, offer.size.board_height))
    }
    why: dict[str, str] = {}
    for spec, path in paths.items():
        setting = setting_of(spec)
        if setting in listed:
            continue
        board = game(spec).start().describe()
        if setting.width and (setting.width, setting.height) != (board.columns, board.rows):
            why[spec] = (
                f"its name says {setting.width} columns and {setting.height} rows, but describe() draws "
                f"{board.columns} and {board.rows}, and the page compares both; write that part of the name in "
                f"another form, such as {setting.width}-{setting.height}."
            )
        else:
            why[spec] = (
                f"the page would not list it: names must have the form {path}, {path}:VARIANT, {path}:WxH or "
                f"{path}:VARIANT:WxH, in small letters, digits and dashes, with 3 to 25 columns W and rows H, one file "
                "of each name, and at most three sizes of a variant."
            )
    return why


def check_name(option: str, path: Path) -> None:
    """Raise BadInput if a path cannot be sent to the bots in UTF-8."""
    try:
        str(path).encode()
    except UnicodeEncodeError as error:
        kind = "file" if path.suffix == ".py" else "folder"
        raise BadInput(f"{option} {str(path)!a}: the name is not valid UTF-8; rename the {kind}.") from error
