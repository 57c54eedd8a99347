"""Named streams of random numbers: equal names give equal streams, different names independent ones."""

import numpy as np

from ludus.seeding import stream


def test_equal_names_give_equal_numbers():
    assert (
        stream(7, "selfplay", 3).integers(1 << 30, size=8).tolist()
        == stream(7, "selfplay", 3).integers(1 << 30, size=8).tolist()
    )


def test_the_numbers_are_the_same_on_every_machine():
    assert stream(0).integers(1000, size=4).tolist() == [760, 854, 873, 126]


def test_every_part_of_a_name_counts():
    names = [(7,), (8,), (7, "a"), (7, "a", 0), (7, "a", 1), (7, "b", 0), (7, 0, "a")]
    first = {int(stream(*name).integers(1 << 62)) for name in names}
    assert len(first) == len(names)


def test_neighbouring_streams_are_not_correlated():
    a, b = (stream(1, "worker", worker).standard_normal(4000) for worker in (0, 1))
    assert abs(float(np.corrcoef(a, b)[0, 1])) < 0.06
