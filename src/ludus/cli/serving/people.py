"""`ludus account` and `ludus hide-names`: manage accounts and names on a site, whether it is running or not."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ludus.bot.config import DATABASE
from ludus.cli.terminal.screen import say
from ludus.errors import BadInput

DataOption = Annotated[Path | None, typer.Option(help="The folder of the site's database (default: the user's).")]
DatabaseOption = Annotated[str | None, typer.Option(help="postgresql://... instead of a file.", envvar=DATABASE)]


def account(
    name: Annotated[str, typer.Argument(help="Name of the account, in upper or lower case.")],
    reset_password: Annotated[
        bool, typer.Option("--reset-password", help="Set a new password, print it once, and end all sessions.")
    ] = False,
    end: Annotated[
        bool, typer.Option("--end", help="Delete the account permanently; its games stay, without its name.")
    ] = False,
    data: DataOption = None,
    database: DatabaseOption = None,
) -> None:
    """Reset the password of an account, or delete an account."""
    if reset_password == end:
        raise BadInput("Give exactly one action: --reset-password, or --end.")

    # The web libraries are slow to import, and not needed by other commands.
    from ludus.site.database.beside import transaction, url_of_site
    from ludus.site.people import upkeep

    with transaction(url_of_site(data, database)) as connection:
        if end:
            told = (
                f"The account {upkeep.end_named(connection, name)} is deleted; its games stay, with the name (deleted)."
            )
        else:
            known_as, password = upkeep.reset_password(connection, name)
            told = f"{known_as} logs in with {password}, which is not shown again; all sessions have ended."
    say(told)


def hide_names(
    game: Annotated[str, typer.Argument(help="The id of the game: the last part of its address.")],
    data: DataOption = None,
    database: DatabaseOption = None,
) -> None:
    """Remove the names of guests and bots from a finished game, whether its site is running or not."""
    # The web libraries are slow to import, and not needed by other commands.
    from ludus.site.database.beside import transaction, url_of_site
    from ludus.site.people import upkeep

    with transaction(url_of_site(data, database)) as connection:
        upkeep.hide_names(connection, game)
    say(f"In game {game}, guests and bots now have the name (deleted).")
