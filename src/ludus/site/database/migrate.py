"""Brings the tables of a database up to date, by the numbered steps in `migrations/versions`."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.util.exc import CommandError
from sqlalchemy import Connection, Engine

from ludus.errors import Unavailable

SCRIPTS = Path(__file__).parent / "migrations"


def config_for(connection: Connection) -> Config:
    """Return Alembic's configuration for work on an open connection."""
    config = Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def upgrade(engine: Engine) -> None:
    """Make the tables as this version of Ludus needs them; all in one transaction.

    Raises:
        Unavailable: the database was made by a newer version.
    """
    with engine.begin() as connection:
        try:
            command.upgrade(config_for(connection), "head")
        except CommandError as error:
            sentence = f"The database was made by a newer Ludus, which this one cannot read: {error}."
            raise Unavailable(sentence) from error
