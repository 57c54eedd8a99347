"""Rungs: chooses rated players for a ladder with steps of about equal height."""

from collections.abc import Sequence


def choose_rungs(ratings: Sequence[float], count: int) -> list[int]:
    """Return the indices of `count` ratings, from the lowest to the highest, with steps as equal as possible.

    The lowest and the highest are included; the choice minimises the sum of the squared steps.

    Args:
        ratings: ratings in increasing order.
        count: number of rungs, at least 2 and at most the number of ratings.
    """
    assert 2 <= count <= len(ratings), "a ladder has at least two rungs, and at most one per player"
    assert list(ratings) == sorted(ratings), "ratings increase"
    costs = {0: (0.0, [0])}  # (cost, ladder) of the best ladder that ends at an index
    for _ in range(count - 1):
        longer: dict[int, tuple[float, list[int]]] = {}
        for place in range(1, len(ratings)):
            found = [
                (cost + (ratings[place] - ratings[last]) ** 2, [*ladder, place])
                for last, (cost, ladder) in costs.items()
                if last < place
            ]
            if found:
                longer[place] = min(found)
        costs = longer
    return costs[len(ratings) - 1][1]
