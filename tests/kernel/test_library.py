"""Functions become machine code once for each entry, and compute what they compute in plain Python."""

import numpy as np
import pytest

from ludus.kernel import COMPILED, entry, kernel
from ludus.kernel.compiler import Entry
from ludus.kernel.rules import compiled

pytestmark = pytest.mark.skipif(not COMPILED, reason="there is no machine code")


def total_of_squares(number):
    squares = np.zeros(number, np.int64)
    for index in range(number):
        squares[index] = index * index
    return int(squares.sum())


@kernel
def at_least(number, least):
    if number < least:
        raise ValueError("it is too small")
    return number


@kernel
def shared(number):
    return at_least(number, 2) + 1


@kernel
def through_one(number):
    return shared(number) * 2


@kernel
def through_another(number):
    return shared(number) * 3


@entry
def both_ways(number):
    return through_one(number) + through_another(number)


@entry
def one_way(number):
    return through_one(number)


def libraries(dispatcher):
    return [found.library for found in dispatcher.overloads.values()]


def test_two_entries_share_kernels_that_call_one_another():
    assert (both_ways(4), one_way(4)) == (25, 10)


def test_an_error_of_a_kernel_deep_in_an_entry_reaches_python():
    with pytest.raises(ValueError, match="it is too small"):
        both_ways(1)


def test_only_the_entry_has_machine_code():
    rule = compiled(total_of_squares)

    @entry
    def called(number):
        return rule(number)

    assert called(4) == total_of_squares(4) == 14
    assert isinstance(called, Entry)
    assert [library._finalized for library in libraries(called.dispatcher)] == [True]
    assert [library._finalized for library in libraries(rule)] == [False]
