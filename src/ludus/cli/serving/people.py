"""`ludus account` and `ludus hide-names`: what the operator does about people, while the site runs or not."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ludus.cli.terminal.screen import say
from ludus.errors import BadInput

DataOption = Annotated[Path | None, typer.Option(help="The folder of the site's database; by default the user's.")]
DatabaseOption = Annotated[
    str | None, typer.Option(help="postgresql://... in place of a file.", envvar="LUDUS_DATABASE")
]


def account(
    name: Annotated[str, typer.Argument(help="Of the account, whatever its case.")],
    reset_password: Annotated[
        bool, typer.Option("--reset-password", help="Set a new password, print it once, and end all sessions.")
    ] = False,
    end: Annotated[
        bool, typer.Option("--end", help="End the account for ever; its games stay, without its name.")
    ] = False,
    data: DataOption = None,
    database: DatabaseOption = None,
) -> None:
    """Help somebody who has forgotten a password, or end an account that the site does not want."""
    if reset_password == end:
        raise BadInput("Say one thing to do: --reset-password, or --end.")

    # The web's libraries are slow to load, and other commands do without them.
    from ludus.site.database.beside import transaction, url_of_site
    from ludus.site.people import upkeep

    with transaction(url_of_site(data, database)) as connection:
        if end:
            told = (
                f"The account {upkeep.end_named(connection, name)} is ended; its games stay, under the name (deleted)."
            )
        else:
            known_as, password = upkeep.reset_password(connection, name)
            told = f"{known_as} logs in with {password}, which nobody is shown again; all sessions have ended."
    say(told)


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
