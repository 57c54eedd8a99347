"""Sign of values: all code keeps values from player 0's view, and only this function converts them."""

from ludus.kernel import kernel


@kernel
def turn(value: float, player: int) -> float:
    """Convert a value between player 0's view and `player`'s view, in either direction."""
    return -value if player == 1 else value
