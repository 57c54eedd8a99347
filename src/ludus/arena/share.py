"""Shares of successes with confidence intervals."""

import math

_SIGMAS = 1.959963984540054  # 95 % of a normal distribution are within so many deviations


def share_of(successes: int, trials: int) -> float:
    """Return the share of successes; 0 without trials."""
    return successes / max(1, trials)


def interval_of(successes: int, trials: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of the share, which is also correct near 0 and 1.

    E. B. Wilson, "Probable inference, the law of succession, and statistical inference", Journal of the American
    Statistical Association 22 (1927).  Without trials it is 0 to 1.
    """
    if not trials:
        return 0.0, 1.0
    share, spread = successes / trials, _SIGMAS**2 / trials
    middle = (share + spread / 2.0) / (1.0 + spread)
    half = math.sqrt(share * (1.0 - share) * spread + spread**2 / 4.0) / (1.0 + spread)
    # exact ends, without rounding errors
    return middle - half if successes else 0.0, middle + half if successes < trials else 1.0


def share_text(successes: int, trials: int) -> str:
    """Format a share with its interval: `80.0% (95% interval: 37.6% to 96.4%)`."""
    low, high = interval_of(successes, trials)
    return f"{share_of(successes, trials):.1%} (95% interval: {low:.1%} to {high:.1%})"
