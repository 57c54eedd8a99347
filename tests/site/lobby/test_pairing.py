"""Who plays whom: equal boards and times, ranges of ratings that widen, the longest wait first."""

import pytest

from ludus.site.lobby.pairing import UNRATED, WIDENS_BY, WIDENS_EVERY_MS, Seek, pairs
from ludus.site.table.clock import TimeControl

FIVE, THREE = TimeControl(300_000, 3000), TimeControl(180_000, 2000)
BLITZ = "blitz"


def seek(key, *, rating=None, most=None, since=0, controls=(FIVE,), spec="connect4", rated=False):
    return Seek(key, spec, rated, controls, {} if rating is None else {BLITZ: rating}, most, since)


def names(found):
    return [(pair.first.key, pair.second.key) for pair in found]


def test_two_who_want_the_same_are_paired():
    assert names(pairs([seek("a"), seek("b", since=1)], now=1)) == [("a", "b")]


@pytest.mark.parametrize("other", [{"spec": "chess"}, {"rated": True}, {"controls": (THREE,)}, {"controls": (None,)}])
def test_different_wishes_are_not_paired(other):
    assert pairs([seek("a"), seek("b", **other)], now=0) == []


def test_nobody_is_paired_with_oneself():
    assert pairs([seek("a"), seek("a")], now=0) == []


def test_the_one_who_waited_longer_chooses_the_time():
    (pair,) = pairs([seek("b", controls=(FIVE, THREE), since=5), seek("a", controls=(None, THREE, FIVE))], now=9)
    assert pair.control == THREE


def test_names_of_time_controls_make_no_difference():
    named = TimeControl(300_000, 3000, "blitz")
    assert len(pairs([seek("a"), seek("b", controls=(named,))], now=0)) == 1


def test_the_nearest_rating_is_chosen():
    waiting = [seek("a", rating=1500), seek("b", rating=1900, since=1), seek("c", rating=1520, since=2)]
    assert names(pairs(waiting, now=2)) == [("a", "c")]


def test_both_ranges_must_allow_the_difference():
    one, other = seek("a", rating=1500, most=400), seek("b", rating=1700, most=100)
    assert pairs([one, other], now=0) == []


def test_a_range_widens_until_it_fits():
    one, other = seek("a", rating=1500, most=100), seek("b", rating=1700, most=100)
    steps = -(-100 // WIDENS_BY)
    assert pairs([one, other], now=steps * WIDENS_EVERY_MS - 1) == []
    assert len(pairs([one, other], now=steps * WIDENS_EVERY_MS)) == 1


def test_people_without_a_rating_count_as_average():
    assert pairs([seek("a"), seek("b", rating=UNRATED + 101, most=100)], now=0) == []
    assert len(pairs([seek("a"), seek("b", rating=UNRATED + 99, most=100)], now=0)) == 1


def test_everybody_is_paired_once():
    found = pairs([seek(str(number), since=number) for number in range(5)], now=9)
    assert names(found) == [("0", "1"), ("2", "3")]
