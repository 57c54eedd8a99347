"""Elo by maximum likelihood: the Bradley-Terry model with a draw as half a win, a weak prior, and 95 % error bars.

Player i beats player j with probability 1 / (1 + 10^((elo_j - elo_i) / 400)).  The prior is one drawn game between
any two players who met, so that undefeated players have a rating, too.  Error bars come from the curvature of the
likelihood, which assumes independent games.  Matches play pairs of games with one opening, so `elo_of_pairs` uses the
pairs' scores instead.  In the matches of `docs/runs` both agree: the ratio of their errors is 0.88 to 1.30, with a
median of 0.99.  If openings decide every game, so that all N pairs are even, the error from pairs is about 1 / sqrt(N)
of the other: a tenth after 100 pairs.

R. A. Bradley, M. E. Terry: Rank Analysis of Incomplete Block Designs, Biometrika 39 (1952).
"""

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence

import msgspec
import numpy as np
from numpy.typing import NDArray

from ludus.errors import BadInput

ELO_PER_LOGIT = 400.0 / math.log(10.0)
_SIGMAS = 1.959963984540054  # 95 % of a normal distribution are within so many deviations
_PRIOR_GAMES = 1.0  # drawn games between two players who met
_LEVEL = 1e-10  # tolerance of the log-likelihood; the maximum is then nearer than 1e-5 of an error bar
_RIDGE = 1e-12  # regularises the information matrix for a step, against badly known players
_LONGEST_STEP = 4.0  # largest change of a rating difference per step, in logits
_MOST_STEPS = 200  # limit of Newton's method, which rarely needs more than twenty
_TOO_FAR = "the anchors' ratings are too far apart to rate the other players; move them closer, or use one anchor."


class MatchScore(msgspec.Struct, frozen=True):
    """The score between two players; wins, draws and losses are those of `a`."""

    a: str
    b: str
    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """Return the number of games."""
        return self.wins + self.draws + self.losses


class Rating(msgspec.Struct, frozen=True):
    """A player's strength relative to the anchor."""

    name: str
    elo: float
    error: float
    """Half the width of the 95 % interval; 0 for an anchor."""
    games: int
    score: float
    """Share of the points, 0 to 1."""


def rate(
    results: Iterable[MatchScore], *, anchor: str, anchor_elo: float = 0.0, fixed: Mapping[str, float] | None = None
) -> list[Rating]:
    """Return all players' ratings, best first, on the scale in which `anchor` has `anchor_elo`.

    Args:
        results: scores between players.
        anchor: a player with a fixed rating.
        anchor_elo: the anchor's rating.
        fixed: further players with fixed ratings; those without games are ignored.

    Raises:
        BadInput: `anchor` played no game, or is not connected by games to all players, or the anchors' ratings are so
            far apart that the others cannot be rated.
    """
    names, points = _points_of(results)
    if anchor not in names:
        raise BadInput(f"ratings are relative to {anchor!r}, which played no game; choose one of: {', '.join(names)}.")
    games = points + points.T  # [P, P]
    stays = {anchor: 0.0} | {name: elo - anchor_elo for name, elo in (fixed or {}).items() if name in names}
    strengths, covariance = _fit(names, points, stays)
    ratings = [
        Rating(
            name=name,
            elo=anchor_elo + ELO_PER_LOGIT * float(strengths[index]),
            error=_SIGMAS * ELO_PER_LOGIT * math.sqrt(covariance[index, index]),
            games=round(games[index].sum()),
            score=float(points[index].sum() / games[index].sum()),
        )
        for index, name in enumerate(names)
    ]
    return sorted(ratings, key=lambda rating: (-rating.elo, rating.name))


def step_errors(results: Iterable[MatchScore], names: Sequence[str]) -> list[float]:
    """Return the errors of the Elo differences between neighbours in `names`: half the widths of 95 % intervals.

    If the neighbours played each other, these are far smaller than the errors of their ratings, which include the
    anchor's uncertainty.

    Raises:
        BadInput: the first name is not connected by games to all players.
    """
    known, points = _points_of(results)
    assert set(names) <= set(known), "all names have played"
    _, covariance = _fit(known, points, {names[0]: 0.0})  # differences do not depend on the anchor
    places = [known.index(name) for name in names]
    return [
        _SIGMAS * ELO_PER_LOGIT * math.sqrt(covariance[a, a] + covariance[b, b] - 2.0 * covariance[a, b])
        for a, b in itertools.pairwise(places)
    ]


def tally(results: Iterable[MatchScore]) -> tuple[dict[tuple[str, str], float], dict[tuple[str, str], int]]:
    """Return the points of each player against each other, and the numbers of their games."""
    points: dict[tuple[str, str], float] = {}
    games: dict[tuple[str, str], int] = {}
    for result in results:
        for pair, won in (((result.a, result.b), result.wins), ((result.b, result.a), result.losses)):
            points[pair] = points.get(pair, 0.0) + won + result.draws / 2
            games[pair] = games.get(pair, 0) + result.games
    return points, games


def elo_of_pairs(counts: Sequence[int]) -> tuple[float, float]:
    """Return an Elo difference and its error from pairs of games with the same opening and swapped sides.

    The two games of a pair are not independent (a decisive opening gives 1 : 1), so the error comes from the variance
    of the pairs' scores.  The prior adds half a pair, split between the extreme scores, which widens the error.

    Args:
        counts: numbers of pairs that scored 0, 1/2, 1, 3/2 and 2 points.
    """
    weights = np.array(counts, np.float64) + np.array([_PRIOR_GAMES / 4, 0, 0, 0, _PRIOR_GAMES / 4])  # [5]
    shares = np.array([0.0, 0.25, 0.5, 0.75, 1.0])  # [5]
    total = float(weights.sum())
    mean = float(weights @ shares) / total
    deviation = math.sqrt(float(weights @ (shares - mean) ** 2)) / total  # standard deviation of the mean
    slope = ELO_PER_LOGIT / (mean * (1.0 - mean))  # Elo per share of the points
    return ELO_PER_LOGIT * math.log(mean / (1.0 - mean)), _SIGMAS * slope * deviation


def _points_of(results: Iterable[MatchScore]) -> tuple[list[str], NDArray[np.float64]]:
    """Return the sorted names of players with games, and the points of row against column [P, P]."""
    results = [result for result in results if result.games]
    names = sorted({name for result in results for name in (result.a, result.b)})
    points = np.zeros((len(names), len(names)))  # [P, P]
    for result in results:
        assert result.a != result.b, f"{result.a} cannot play itself"
        a, b = names.index(result.a), names.index(result.b)
        points[a, b] += result.wins + result.draws / 2
        points[b, a] += result.losses + result.draws / 2
    return names, points


def _fit(
    names: list[str],
    points: NDArray[np.float64],  # [P, P]
    stays: Mapping[str, float],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return strengths [P] and their covariance [P, P] in logits; players in `stays` keep the given Elo."""
    games = points + points.T  # [P, P]
    _check_connected(games, names, list(stays))
    prior = np.where(games > 0, _PRIOR_GAMES, 0.0)
    return _maximum_likelihood(
        points + prior / 2,
        np.array([stays.get(name, 0.0) / ELO_PER_LOGIT for name in names]),
        np.array([name not in stays for name in names]),
    )


def reached(results: Sequence[MatchScore], anchor: str) -> list[MatchScore]:
    """Return the results of players that are connected to the anchor by games; only they can be rated."""
    known, left = {anchor}, [result for result in results if result.games]
    while near := [result for result in left if result.a in known or result.b in known]:
        known.update(name for result in near for name in (result.a, result.b))
        left = [result for result in left if result not in near]
    return [result for result in results if result.a in known]


def _check_connected(games: NDArray[np.float64], names: list[str], anchors: list[str]) -> None:
    reached = {names.index(anchor) for anchor in anchors}
    frontier = set(reached)
    while frontier:
        frontier = {int(found) for index in frontier for found in np.flatnonzero(games[index])} - reached
        reached |= frontier
    lost = [name for index, name in enumerate(names) if index not in reached]
    if lost:
        raise BadInput(
            f"no chain of games leads from {' or '.join(map(repr, anchors))} to {', '.join(lost)}; let them play, or "
            "leave them out."
        )


@np.errstate(over="ignore", invalid="ignore")  # exp of more than 709 is correctly infinite
def _maximum_likelihood(
    points: NDArray[np.float64],  # [P, P]
    strengths: NDArray[np.float64],  # [P] initial values, which fixed players keep
    others: NDArray[np.bool_],  # [P] players without a fixed rating
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return strengths [P] and their covariance [P, P] (0 for fixed players) in logits, by Newton's method.

    Raises:
        BadInput: the likelihood is too flat to find its maximum, as far from all fixed players.
    """
    games, among_others = points + points.T, np.ix_(others, others)
    likelihood = _log_likelihood(strengths, points)
    for _ in range(_MOST_STEPS):
        expected = 1.0 / (1.0 + np.exp(strengths[None, :] - strengths[:, None]))  # [P, P]
        gradient = (points * expected.T - points.T * expected).sum(axis=1)  # [P] accurate even for scores near 0 or 1
        curvature = games * expected * expected.T
        information = (np.diag(curvature.sum(axis=1)) - curvature)[among_others]
        step = np.zeros_like(strengths)
        ridge = _RIDGE * np.trace(information) * np.eye(len(information))
        step[others] = _inverse(information + ridge) @ gradient[others]
        rise = float(gradient @ step)  # twice the expected gain
        if rise < _LEVEL:
            covariance = np.zeros_like(points)
            covariance[among_others] = _inverse(information)
            return strengths + step, covariance
        apart = np.abs(step[None, :] - step[:, None])[games > 0.0].max()
        shorter = min(1.0, _LONGEST_STEP / apart)  # the quadratic model is wrong far away
        step, rise = step * shorter, rise * shorter
        while (found := _log_likelihood(strengths + step, points)) < likelihood + 0.1 * rise - 1e-12 * abs(likelihood):
            step, rise = step / 2.0, rise / 2.0  # the likelihood is concave, so a short step increases it
        strengths, likelihood = strengths + step, found
    raise BadInput(_TOO_FAR)


def _inverse(information: NDArray[np.float64]) -> NDArray[np.floating]:
    """Return the inverse [O, O], the covariance at the maximum; raises BadInput if it is not positive."""
    try:
        inverse = np.linalg.inv(information)
    except np.linalg.LinAlgError as error:
        raise BadInput(_TOO_FAR) from error
    if not (np.isfinite(inverse).all() and (np.diag(inverse) > 0.0).all()):
        raise BadInput(_TOO_FAR)
    return inverse


def _log_likelihood(strengths: NDArray[np.float64], points: NDArray[np.float64]) -> float:
    return -float((points * np.logaddexp(0.0, strengths[None, :] - strengths[:, None])).sum())
