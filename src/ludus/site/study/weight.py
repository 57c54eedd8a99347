"""Memory of replayed games: limits that are checked before a replay, and the size of a game in a cache."""

from ludus.errors import BadInput
from ludus.games.annotations import MAX_ACTIONS
from ludus.games.game import Position
from ludus.games.registry import about

OVERHEAD_BYTES = 4096
"""Estimated memory of a position beside its state: the object and its legal actions."""


def check_spec(spec: str) -> None:
    """Raise BadInput for a game name with an option that would make states arbitrarily large."""
    limits = about(spec).options.limits
    for part in spec.split(":"):
        name, equals, _ = part.partition("=")
        if equals and name in limits:
            raise BadInput(
                f"The game {spec[:60]!r} has the option `{name}=`, which this site does not allow; leave it out."
            )


def check_length(num_moves: int) -> None:
    """Raise BadInput for a game that is too long for a link, before a replay that might take minutes."""
    if num_moves > MAX_ACTIONS:
        raise BadInput(f"This game has {num_moves} moves; a link can contain at most {MAX_ACTIONS}.")


def weight_of(last: Position) -> int:
    """Estimate the memory of a game with all its positions, in bytes."""
    return sum(position.state.nbytes + OVERHEAD_BYTES for position in last.history)
