"""`ludus hide-names`: a finished game without the names that guests and bots had in it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ludus.cli.screen import say


def hide_names(
    game: Annotated[str, typer.Argument(help="The id of the game: the last part of its address.")],
    data: Annotated[Path | None, typer.Option(help="The folder of the site's database; by default the user's.")] = None,
    database: Annotated[
        str | None, typer.Option(help="postgresql://... in place of a file.", envvar="LUDUS_DATABASE")
    ] = None,
) -> None:
    """Take the names of guests and bots from a finished game, while its site runs or not."""
    # The web's libraries are slow to load, and other commands do without them.
    from ludus.site.database.beside import transaction, url_of_site
    from ludus.site.people import upkeep

    with transaction(url_of_site(data, database)) as connection:
        upkeep.hide_names(connection, game)
    say(f"In game {game}, guests and bots are called (deleted).")
