"""The one place where a value changes sides: everywhere else values are seen by player 0."""

from ludus.kernel import kernel


@kernel
def turn(value: float, player: int) -> float:
    """Turn a value between player 0's view and `player`'s view (the same function both ways)."""
    return -value if player == 1 else value
