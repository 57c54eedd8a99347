"""How fast a game is, in a word: ratings at different speeds are different ratings."""

MOVES = 40  # of one player in a game of ordinary length
CLASSES = ("bullet", "blitz", "rapid", "classical", "unlimited")
_LIMITS_S = ((180, "bullet"), (600, "blitz"), (1800, "rapid"))


def time_class(initial_ms: int | None, increment_ms: int | None) -> str:
    """Return the class of a time control; None is a game without clocks."""
    if initial_ms is None:
        return "unlimited"
    seconds = (initial_ms + MOVES * (increment_ms or 0)) / 1000
    return next((name for limit, name in _LIMITS_S if seconds < limit), "classical")
