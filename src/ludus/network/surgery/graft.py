"""Grafts: copies of weight arrays into larger ones, axis by axis."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Axis(NamedTuple):
    """Positions of an old axis's entries in a new axis."""

    indices: NDArray[np.int64]  # [old size]
    size: int
    """Size of the new axis."""
    is_silent: bool = True
    """Whether new inputs get zero weights to old outputs, so that these first compute the same as before."""


def first(old: int, new: int) -> Axis:
    """Return an axis of `new` entries whose first `old` entries are the old ones, in order."""
    return Axis(np.arange(old), new)


def repeated(axis: Axis, times: int) -> Axis:
    """Return an axis of `times` copies of another, one after the other."""
    copies = [axis.indices + copy * axis.size for copy in range(times)]
    return Axis(np.concatenate(copies), times * axis.size, axis.is_silent)


def graft(old: NDArray[Any], fresh: NDArray[Any], axes: Sequence[Axis]) -> NDArray[Any]:
    """Return `fresh` with the entries of `old` in it, and zeros from silent new inputs to old outputs.

    Args:
        old: the weights to keep.  # [old outputs, old inputs, ...]
        fresh: newly initialized weights.  # [new outputs, new inputs, ...]
        axes: the leading axes, outputs first; all other axes have equal sizes.
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
