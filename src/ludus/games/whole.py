"""Integers in which no fraction is lost without a word: NumPy cuts 0.5 to 0 where it is written among them."""

from typing import Any

import numpy as np


class Fraction(Exception):
    """Something else than a whole number was to be written among integers: which number."""


class Whole(np.ndarray):
    """An array of integers, as plain rules get it while they are checked."""

    def __setitem__(self, where: Any, value: Any) -> None:  # noqa: ANN401 - as of every array
        """Write whole numbers; Fraction if one is none."""
        numbers = np.asarray(value)
        if numbers.dtype.kind == "f" and not np.all(is_whole := np.isfinite(numbers) & (numbers == np.trunc(numbers))):
            raise Fraction(numbers[~is_whole].flat[0])
        super().__setitem__(where, value)
