"""Rate limits and connection limits, with a clock that the test advances."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludus.site.safety.limits import (
    NETWORK,
    AddressLimiter,
    ConnectionLimit,
    RateLimit,
    RateLimiter,
    is_this_machine,
    neighbourhood,
    network_of,
)


class Clock:
    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def test_tokens_are_spent_and_refilled(clock):
    credit = RateLimiter(RateLimit(3, 2.0), clock)
    assert [credit.take("a") for _ in range(4)] == [0, 0, 0, 0.5]
    clock.now += 0.5
    assert credit.take("a") == 0
    assert credit.take("a") == 0.5
    clock.now += 1e9
    assert [credit.take("a") for _ in range(4)] == [0, 0, 0, 0.5], "no more than the most, however long the pause"


def test_a_refused_action_costs_no_tokens(clock):
    credit = RateLimiter(RateLimit(1, 1.0), clock)
    credit.take("a")
    waits = [credit.take("a") for _ in range(100)]
    assert set(waits) == {1.0}


def test_every_key_has_its_own_bucket(clock):
    credit = RateLimiter(RateLimit(1, 1.0), clock)
    assert [credit.take(key) for key in "abc"] == [0, 0, 0]


def test_the_table_is_bounded_and_keeps_active_keys(clock):
    credit = RateLimiter(RateLimit(1, 0.001), clock, max_keys=10)
    for number in range(1000):
        credit.take(f"passer-by {number}")
        credit.take("flooder")
    assert len(credit) == 10
    assert credit.take("flooder") > 0


@settings(deadline=None)
@given(st.lists(st.tuples(st.floats(0, 5), st.floats(0.1, 3)), max_size=60))
def test_no_key_exceeds_its_allowance(steps):
    clock = Clock()
    credit, spent = RateLimiter(RateLimit(5, 2.0), clock), 0.0
    for pause, cost in steps:
        clock.now += pause
        spent += cost if credit.take("a", cost) == 0 else 0.0
    assert spent <= 5 + 2.0 * (clock.now - 1000.0) + 1e-6


def test_a_clock_that_goes_back_refills_nothing(clock):
    credit = RateLimiter(RateLimit(1, 1.0), clock)
    credit.take("a")
    clock.now -= 500
    assert credit.take("a") == 1.0


def test_connections_are_counted_by_address():
    crowd = ConnectionLimit(2)
    assert [crowd.enter("a"), crowd.enter("a"), crowd.enter("a"), crowd.enter("b")] == [True, True, False, True]
    crowd.leave("a")
    assert crowd.enter("a")
    for address in "aab":
        crowd.leave(address)
    assert len(crowd) == 0


@pytest.mark.parametrize(
    ("address", "counted_as"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("unix socket", "unix socket"),
        ("x" * 500, "x" * 64),
    ],
)
def test_an_ipv6_network_counts_as_one_address(address, counted_as):
    assert neighbourhood(address) == counted_as


@pytest.mark.parametrize("address", ["127.0.0.1", "127.3.2.1", "::1", "::ffff:127.0.0.1"])
def test_all_loopback_addresses_are_this_machine(address):
    assert is_this_machine(address)


@pytest.mark.parametrize("address", ["", "192.0.2.7", "::2", "::ffff:192.0.2.7", "localhost"])
def test_other_addresses_are_not_this_machine(address):
    assert not is_this_machine(address)


def test_the_addresses_of_an_ipv6_network_share_a_larger_limit(clock):
    limiter = AddressLimiter(RateLimit(2, 1.0), clock)
    mine, others = (
        neighbourhood("2001:db8:7:1::5"),
        [neighbourhood(f"2001:db8:7:{each:x}::1") for each in range(2, 200)],
    )
    assert [limiter.take(mine) > 0 for _ in range(3)] == [False, False, True]
    assert sum(not limiter.take(each) for each in others) == 2 * NETWORK - 2
    assert limiter.take(others[-1]) > 0
    assert limiter.take(neighbourhood("2001:db8:8:1::5")) == 0
    assert [limiter.take(f"192.0.2.{each}") for each in range(200)] == [0] * 200


@pytest.mark.parametrize(
    ("address", "network"),
    [("2001:db8:7:1::/64", "2001:db8:7::/48"), ("192.0.2.1", "192.0.2.1"), ("", ""), ("no:address", "no:address")],
)
def test_a_network_has_48_bits(address, network):
    assert network_of(address) == network
