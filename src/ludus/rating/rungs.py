"""Rungs: which of many rated players make a ladder whose steps are about equally high."""

from collections.abc import Sequence


def choose_rungs(ratings: Sequence[float], count: int) -> list[int]:
    """Return the places of `count` ratings that go from the lowest to the highest in steps as even as they can be.

    The lowest and the highest are among them; the sum of the squares of the steps, which is least for even ones, is
    minimised over all choices of those between.

    Args:
        ratings: in rising order.
        count: how many, 2 at least and no more than there are.
    """
    assert 2 <= count <= len(ratings), "a ladder has two rungs at least, and no more than there are players"
    assert list(ratings) == sorted(ratings), "ratings rise"
    costs = {0: (0.0, [0])}  # of the best ladder that ends at a place, and that ladder
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
