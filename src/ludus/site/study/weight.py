"""How much memory a replayed game takes: limits before it is replayed, and its weight in a cache."""

from ludus.errors import BadInput
from ludus.games.game import Position
from ludus.site.messages.study import MAX_ACTIONS

OVERHEAD_BYTES = 4096
"""Of a position besides its state: the object, and its legal actions."""


def check_spec(spec: str) -> None:
    """Raise BadInput for a game whose name makes its states as large as the sender likes.

    States of Go hold the hash of each position up to `plies=`, so this option makes them ten times as large as those of
    any game that this site opens.
    """
    if any(part.startswith("plies=") for part in spec.split(":")):
        raise BadInput(
            f"The game {spec[:60]!r} is cut after so many moves, as none of this site is; leave `plies=` out."
        )


def check_length(num_moves: int) -> None:
    """Raise BadInput for a game that is too long for a link, before the rules spend minutes on it."""
    if num_moves > MAX_ACTIONS:
        raise BadInput(f"This game has {num_moves} moves, and a link carries {MAX_ACTIONS} at most.")


def weight_of(last: Position) -> int:
    """Return about how many bytes a game takes with all its positions."""
    return sum(position.state.nbytes + OVERHEAD_BYTES for position in last.history)
