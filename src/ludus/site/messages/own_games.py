"""The games that somebody has not finished, as a list shows them."""

from typing import Literal

from msgspec import Struct


class OwnGame(Struct, frozen=True, rename="camel"):
    """A game that is not over, as a list shows it to somebody who sits there."""

    id: str
    game: str
    variant: str
    board_width: int
    board_height: int
    rated: bool
    status: Literal["waiting", "playing"]
    opponent: str | None
    """Null while the other seat is open."""
    you: int
    to_play: int | None
    """Null while a seat is open, or where an older version of the site wrote the game."""
    num_moves: int


class OwnGames(Struct, frozen=True, rename="camel"):
    """The games that somebody has not finished, the newest first."""

    games: list[OwnGame]
