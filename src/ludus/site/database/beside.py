"""A change from outside to a database that a running site may have: one short transaction, which waits for its turn.

It claims nothing, so it must not touch what a site has in memory and writes again: the moves and states of its games.
"""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError

from ludus.errors import Unavailable
from ludus.site.database.database import FILE, database_url, default_folder, unusable, writing_engine
from ludus.site.database.migrate import must_be_current

LOCK_WAIT_S = 20
"""How long it waits for its turn; a site commits many times a second."""


def url_of_site(folder: Path | None = None, address: str | None = None) -> URL:
    """Return the address of a site's database, see `database_url`, but create nothing.

    Raises:
        BadInput: the address is not one of PostgreSQL.
        Unavailable: there is no database in this folder.
    """
    folder = folder or default_folder()
    if address is None and not (folder / FILE).is_file():
        raise Unavailable(f"{folder}: there is no {FILE} here; name the folder of the site with --data.")
    return database_url(folder, address)


@contextmanager
def transaction(url: URL) -> Generator[Connection]:
    """Run the block in one transaction; raises Unavailable if the database refuses, or has another version's tables."""
    engine = writing_engine(url, LOCK_WAIT_S)
    try:
        with engine.begin() as connection:
            must_be_current(connection)
            yield connection
    except (DBAPIError, OSError) as error:
        raise unusable(url, error) from error
    finally:
        engine.dispose()
