"""Migrate the tables of a database with the numbered steps in `migrations/versions`."""

import contextlib
from collections.abc import Generator
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util.exc import CommandError
from sqlalchemy import Connection, Engine

from ludus.errors import Unavailable

SCRIPTS = Path(__file__).parent / "migrations"


def config_for(connection: Connection) -> Config:
    """Return Alembic's configuration for an open connection."""
    config = Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def upgrade(engine: Engine) -> None:
    """Migrate the tables in one transaction; raises Unavailable if a newer Ludus created them."""
    with engine.connect() as connection, _tables_may_be_replaced(connection), connection.begin():
        try:
            command.upgrade(config_for(connection), "head")
        except CommandError as error:
            sentence = f"The database was created by a newer Ludus, and this one cannot read it: {error}."
            raise Unavailable(sentence) from error
        if engine.dialect.name == "sqlite":
            lost = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
            assert lost is None, f"the migration left a row with a broken foreign key: {lost}"


def must_be_current(connection: Connection) -> None:
    """Raise Unavailable if the tables belong to another version of Ludus."""
    newest = ScriptDirectory.from_config(config_for(connection)).get_current_head()
    if MigrationContext.configure(connection).get_current_revision() != newest:
        raise Unavailable(
            "The database belongs to another version of Ludus; use that version, or start the site with this one."
        )


@contextlib.contextmanager
def _tables_may_be_replaced(connection: Connection) -> Generator[None]:
    """Switch off SQLite's foreign keys during the block; must be entered outside a transaction.

    With foreign keys, a step that copies a table and drops the old one would delete the rows that refer to it.
    """
    found = connection.connection.dbapi_connection
    if connection.dialect.name != "sqlite" or found is None:
        yield
        return
    found.cursor().execute("PRAGMA foreign_keys = OFF")
    try:
        yield
    finally:
        found.cursor().execute("PRAGMA foreign_keys = ON")
