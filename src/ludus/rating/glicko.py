"""Glicko-2: ratings of people who play now and then, with a deviation that says how much is known of them.

M. E. Glickman: Example of the Glicko-2 system (2022), http://www.glicko.net/glicko/glicko2.pdf; the steps below are its
steps.  A rating period may be a part of one, as it is where ratings change after every game: the deviation then grows
by the volatility for that part alone.
"""

import math
from collections.abc import Iterable

import msgspec

_SCALE = 173.7178  # points of Glicko's first system in one of the second
_MIDDLE = 1500.0
_TOLERANCE = 1e-6


class Glicko(msgspec.Struct, frozen=True):
    """What is known of a player's strength; a new player has the defaults."""

    rating: float = _MIDDLE
    deviation: float = 350.0
    """The rating's standard error: the true one is within twice as much, 95 times in 100."""
    volatility: float = 0.06
    """How much the true rating is expected to change in a rating period."""


class GlickoSettings(msgspec.Struct, frozen=True):
    """The constants of the system."""

    tau: float = 0.5
    """How freely volatility changes; 0.3 to 1.2 are sensible."""
    least_deviation: float = 45.0
    """However many games: a rating shall still be able to move."""
    greatest_deviation: float = 350.0
    """However long the pause: that of a new player."""


def rated(
    player: Glicko,
    games: Iterable[tuple[Glicko, float]],
    periods: float = 1.0,
    settings: GlickoSettings = GlickoSettings(),  # noqa: B008 - frozen
) -> Glicko:
    """Return a player's strength after a rating period.

    Args:
        player: the strength before it.
        games: the opponents, as they were before it, and the score against each: 1, 0.5 or 0.
        periods: how long it was, in rating periods; not negative.
        settings: the constants.
    """
    games = list(games)
    mu, phi = (player.rating - _MIDDLE) / _SCALE, player.deviation / _SCALE
    if not games:  # only time has passed
        return _limited(mu, math.hypot(phi, player.volatility * math.sqrt(periods)), player.volatility, settings)
    information, surprise = 0.0, 0.0
    for opponent, score in games:
        weight = _weight(opponent.deviation / _SCALE)
        expected = 1.0 / (1.0 + math.exp(-weight * (mu - (opponent.rating - _MIDDLE) / _SCALE)))
        information += weight * weight * expected * (1.0 - expected)
        surprise += weight * (score - expected)
    variance = 1.0 / information
    volatility = _volatility(player.volatility, phi, variance, variance * surprise, settings.tau)
    before = math.hypot(phi, volatility * math.sqrt(periods))
    after = 1.0 / math.sqrt(1.0 / (before * before) + information)
    return _limited(mu + after * after * surprise, after, volatility, settings)


def _weight(phi: float) -> float:
    """Return how much a game tells against an opponent of this deviation (Glickman's g)."""
    return 1.0 / math.sqrt(1.0 + 3.0 * phi * phi / (math.pi * math.pi))


def _volatility(sigma: float, phi: float, variance: float, improvement: float, tau: float) -> float:
    """Return the new volatility: step 5, the Illinois variant of regula falsi."""
    a = math.log(sigma * sigma)
    spread = phi * phi + variance

    def f(x: float) -> float:
        grown = math.exp(x)
        total = spread + grown
        return grown * (improvement * improvement - total) / (2.0 * total * total) - (x - a) / (tau * tau)

    low = a
    if improvement * improvement > spread:
        high = math.log(improvement * improvement - spread)
    else:
        steps = 1
        while f(a - steps * tau) < 0.0:
            steps += 1
        high = a - steps * tau
    f_low, f_high = f(low), f(high)
    while abs(high - low) > _TOLERANCE:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0.0:
            low, f_low = high, f_high
        else:
            f_low /= 2.0
        high, f_high = middle, f_middle
    return math.exp(low / 2.0)


def _limited(mu: float, phi: float, volatility: float, settings: GlickoSettings) -> Glicko:
    deviation = min(max(phi * _SCALE, settings.least_deviation), settings.greatest_deviation)
    return Glicko(mu * _SCALE + _MIDDLE, deviation, volatility)
