"""`ludus account`: what the operator of a site does about somebody's account, while the site runs or not."""

from __future__ import annotations

from typing import Annotated

import typer

from ludus.cli.serving.site_data import DatabaseOption, DataOption
from ludus.cli.terminal.screen import say
from ludus.errors import BadInput


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
