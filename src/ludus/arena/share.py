"""Shares of successes: how large one is, and how sure."""

import math


def share_of(successes: int, trials: int) -> float:
    """Return the share of successes; 0 if nothing was tried."""
    return successes / max(1, trials)


def error_of(successes: int, trials: int) -> float:
    """Return half the width of the share's 95 % interval, by the normal approximation."""
    share = share_of(successes, trials)
    return 1.96 * math.sqrt(share * (1.0 - share) / max(1, trials))
