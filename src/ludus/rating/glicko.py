"""Glicko-2: ratings of people, with a deviation that measures their uncertainty.

M. E. Glickman: Example of the Glicko-2 system (2022), http://www.glicko.net/glicko/glicko2.pdf; the code follows its
steps.  A rating period may be fractional, as when ratings change after every game: the deviation then grows by that
fraction of the volatility's variance.
"""

import math
from collections.abc import Iterable

import msgspec

_SCALE = 173.7178  # points of Glicko-1 per unit of Glicko-2
_MIDDLE = 1500.0
_TOLERANCE = 1e-6


class Glicko(msgspec.Struct, frozen=True):
    """A player's rating with its uncertainty; the defaults are those of a new player."""

    rating: float = _MIDDLE
    deviation: float = 350.0
    """Standard error of the rating; the true one is within twice this in 95 % of cases."""
    volatility: float = 0.06
    """Expected change of the true rating per rating period."""


class GlickoSettings(msgspec.Struct, frozen=True):
    """The constants of Glicko-2."""

    tau: float = 0.5
    """Limits changes of the volatility; 0.3 to 1.2 are sensible."""
    least_deviation: float = 45.0
    """Lower limit of the deviation, so that ratings can always change."""
    greatest_deviation: float = 350.0
    """Upper limit of the deviation, however long a player pauses: that of a new player."""


def rated(
    player: Glicko,
    games: Iterable[tuple[Glicko, float]],
    periods: float = 1.0,
    settings: GlickoSettings = GlickoSettings(),  # noqa: B008 - frozen
) -> Glicko:
    """Return a player's rating after a rating period.

    Args:
        player: rating before the period.
        games: ratings of the opponents before the period, and the scores against them: 1, 0.5 or 0.
        periods: length of the time in rating periods; not negative.
        settings: the constants.
    """
    games = list(games)
    mu, phi = (player.rating - _MIDDLE) / _SCALE, player.deviation / _SCALE
    if not games:  # no games in the period
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
    """Return the weight of a game against an opponent with this deviation (Glickman's g)."""
    return 1.0 / math.sqrt(1.0 + 3.0 * phi * phi / (math.pi * math.pi))


def _volatility(sigma: float, phi: float, variance: float, improvement: float, tau: float) -> float:
    """Return the new volatility: step 5, by the Illinois variant of regula falsi."""
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
