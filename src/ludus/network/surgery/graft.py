"""Puts an array of weights into a larger one, axis by axis."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Axis(NamedTuple):
    """Where the entries of an old axis stand in a new one."""

    indices: NDArray[np.int64]  # [old size]
    size: int
    """Of the new axis."""
    is_silent: bool = True
    """As an input: what is new says nothing to old outputs at first, so that these compute what they did."""


def first(old: int, new: int) -> Axis:
    """Return the axis whose old entries come first."""
    return Axis(np.arange(old), new)


def repeated(axis: Axis, times: int) -> Axis:
    """Return the axis of so many copies of another, one behind the other."""
    copies = [axis.indices + copy * axis.size for copy in range(times)]
    return Axis(np.concatenate(copies), times * axis.size, axis.is_silent)


def graft(old: NDArray[Any], fresh: NDArray[Any], axes: Sequence[Axis]) -> NDArray[Any]:
    """Return `fresh` with the entries of `old` in it, and zeros where old outputs would hear silent new inputs.

    Args:
        old: the weights that stay.  # [old outputs, old inputs, ...]
        fresh: newly drawn weights.  # [new outputs, new inputs, ...]
        axes: of the leading axes, outputs first; the others have the same sizes in both.
    """
    result, (outputs, *inputs) = fresh.copy(), axes
    kept = result[outputs.indices]  # [old outputs, new inputs, ...]
    for number, axis in enumerate(inputs, 1):
        if axis.is_silent:
            new = np.setdiff1d(np.arange(axis.size), axis.indices)
            np.moveaxis(kept, number, 0)[new] = 0.0
    kept[np.ix_(np.arange(len(outputs.indices)), *(axis.indices for axis in inputs))] = old
    result[outputs.indices] = kept
    return result
