"""Transactions of maintenance commands on a database that a running site may be using.

They do not take the site's lock, so they must not change what a site keeps in memory: the moves and states of games.
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
"""Seconds to wait for the database's write lock; a site commits many times a second."""


def url_of_site(folder: Path | None = None, address: str | None = None) -> URL:
    """Return the address of an existing site database, like `database_url`, but without creating a folder.

    Raises:
        BadInput: the address is not one of PostgreSQL.
        Unavailable: there is no database in this folder.
    """
    folder = folder or default_folder()
    if address is None and not (folder / FILE).is_file():
        raise Unavailable(f"{folder}: this folder has no {FILE}; name the site's data folder with --data.")
    return database_url(folder, address)


@contextmanager
def transaction(url: URL) -> Generator[Connection]:
    """Run the block in one transaction.

    Raises:
        Unavailable: the database cannot be used, or its tables belong to another version of Ludus.
    """
    engine = writing_engine(url, LOCK_WAIT_S)
    try:
        with engine.begin() as connection:
            must_be_current(connection)
            yield connection
    except (DBAPIError, OSError) as error:
        raise unusable(url, error) from error
    finally:
        engine.dispose()
