"""The quota returns every number once, and divides the games by their shares."""

from collections import Counter

import pytest

import ludus
from ludus.selfplay.source import OpenQuota, Quota


def taken(quota):
    numbers = []
    while (number := quota.take()) is not None:
        numbers.append(number)
    return numbers


def test_numbers_that_are_done_are_left_out():
    assert taken(Quota(6)) == [0, 1, 2, 3, 4, 5]
    assert taken(Quota(6, done=[0, 3, 5])) == [1, 2, 4]
    assert taken(Quota(2, done=[0, 1, 7])) == []


def test_an_open_quota_returns_the_dealt_games_and_stays_open_until_it_is_closed_and_empty():
    hand = OpenQuota()
    assert taken(hand) == []
    hand.deal([7, 3])
    assert hand.take() == 7
    hand.close()
    assert hand.is_open, "a game is to be begun"
    assert taken(hand) == [3]
    assert not hand.is_open
    assert not Quota(6).is_open


def test_a_cancelled_quota_returns_no_more_games():
    quota = Quota(6)
    assert quota.take() == 0
    quota.cancelled.set()
    assert quota.take() is None


@pytest.mark.parametrize("shares", [(1.0, 1.0), (3.0, 1.0), (0.0, 2.0, 1.0), (0.7, 0.2, 0.1)])
@pytest.mark.parametrize("games", [10, 100, 2500])
def test_every_stretch_of_games_has_nearly_its_shares(shares, games):
    quota = Quota(games, shares=shares)
    counts = Counter(quota.game_of(number, len(shares)) for number in range(games))
    for game, share in enumerate(shares):
        assert abs(counts[game] - games * share / sum(shares)) <= 3.0


def test_without_shares_the_games_take_turns():
    assert [Quota(5).game_of(number, 3) for number in range(5)] == [0, 1, 2, 0, 1]


def test_trees_without_a_game_wake_when_more_are_dealt(kit):
    hand, dealt, finished = OpenQuota(), iter([[5], list(range(10, 30)), [6, 7]]), []

    def deal_more(samples):
        finished.append(int(samples.game_id[0]))
        if (more := next(dealt, None)) is not None:
            hand.deal(more)
        else:
            hand.close()

    hand.deal([1])
    kit.play([ludus.game("connect4")], 24, quota=hand, on_game=deal_more)
    assert sorted(finished) == [1, 5, 6, 7, *range(10, 30)]
    assert finished[:2] == [1, 5], "one game at a time, while all other trees are idle"
