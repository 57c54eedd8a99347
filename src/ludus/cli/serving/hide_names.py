"""`ludus hide-names`: a finished game without the names that guests and bots had in it."""

from __future__ import annotations

from typing import Annotated

import typer

from ludus.cli.serving.site_data import DatabaseOption, DataOption
from ludus.cli.terminal.screen import say


def hide_names(
    game: Annotated[str, typer.Argument(help="The id of the game: the last part of its address.")],
    data: DataOption = None,
    database: DatabaseOption = None,
) -> None:
    """Take the names of guests and bots from a finished game, while its site runs or not."""
    # The web's libraries are slow to load, and other commands do without them.
    from ludus.site.database.beside import transaction, url_of_site
    from ludus.site.people import upkeep

    with transaction(url_of_site(data, database)) as connection:
        upkeep.hide_names(connection, game)
    say(f"In game {game}, guests and bots are called (deleted).")
