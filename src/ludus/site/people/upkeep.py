"""Maintenance for the operator: reset a password, delete an account, hide the names in a game."""

import secrets

from argon2 import PasswordHasher
from sqlalchemy import Connection, delete, select, update

from ludus.errors import BadInput
from ludus.site.database.people_schema import DELETED, accounts, sessions
from ludus.site.database.puzzle_schema import account_key, puzzle_tries, solvers
from ludus.site.database.schema import games, seats
from ludus.site.safety.names import folded

PASSWORD_BYTES = 12  # 16 characters in base64


def reset_password(connection: Connection, name: str) -> tuple[str, str]:
    """Set a random password for an account, end its sessions, and return its name and password; raises BadInput."""
    account_id, name = _account(connection, name)
    password = secrets.token_urlsafe(PASSWORD_BYTES)
    hashed = PasswordHasher().hash(password)
    connection.execute(delete(sessions).where(sessions.c.account_id == account_id))
    connection.execute(update(accounts).where(accounts.c.id == account_id).values(password_hash=hashed))
    return name, password


def end_named(connection: Connection, name: str) -> str:
    """Delete the account with this name, ignoring case; return the name as registered.  Raises BadInput."""
    account_id, name = _account(connection, name)
    end_account(connection, account_id)
    return name


def end_account(connection: Connection, account_id: str) -> None:
    """Delete an account with its sessions, tokens and ratings; its games remain without its name."""
    mine = seats.c.account_id == account_id
    connection.execute(update(seats).where(mine).values(account_id=None, name=DELETED))
    for table in (puzzle_tries, solvers):
        connection.execute(delete(table).where(table.c.solver == account_key(account_id)))
    connection.execute(delete(accounts).where(accounts.c.id == account_id))


def hide_names(connection: Connection, game_id: str) -> None:
    """Replace the names of guests and bots in a finished game; raises BadInput if no finished game has this id."""
    status = connection.execute(select(games.c.status).where(games.c.id == game_id)).scalar_one_or_none()
    if status != "over":
        fault = "there is no such game" if status is None else "this game is not over yet"
        raise BadInput(f"{game_id}: {fault}; give the last part of a finished game's URL, and check --data.")
    of_others = (seats.c.game_id == game_id) & seats.c.account_id.is_(None)
    connection.execute(update(seats).where(of_others).values(name=DELETED))


def _account(connection: Connection, name: str) -> tuple[str, str]:
    """Return the id and name of the account with this name, ignoring case; raises BadInput if there is none."""
    query = select(accounts.c.id, accounts.c.name).where(accounts.c.folded == folded(name))
    found = connection.execute(query).one_or_none()
    if found is None:
        raise BadInput(f"There is no account {name!r} at this site; check the name, and --data.")
    return found.id, found.name
