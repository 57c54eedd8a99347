"""Rate limits and connection limits by address, in tables of bounded size."""

import ipaddress
from collections import Counter, OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection  # every command reads these limits, and few serve

NEIGHBOURS = 4
"""The limit of one address for messages and frames, as a multiple of the limit of one socket."""
_Credits = Annotated[float, Meta(ge=1, le=1e9)]
_Rate = Annotated[float, Meta(gt=0, le=1e9)]


class RateLimit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The size and refill rate of a token bucket."""

    most: _Credits
    """Most tokens in the bucket: the number of actions allowed at once."""
    per_s: _Rate
    """Tokens added per second."""

    def times(self, factor: float) -> "RateLimit":
        """Return a limit that is larger by a factor."""
        return RateLimit(factor * self.most, factor * self.per_s)


class RateLimiter:
    """A token bucket for each key, in a table of bounded size.

    A key that is not in the table has a full bucket.  Above `max_keys`, the key unused for longest is evicted.
    """

    def __init__(self, allowance: RateLimit, clock: Callable[[], float], max_keys: int = 20_000) -> None:
        """Create a rate limiter.

        Args:
            allowance: the limit of each key.
            clock: returns seconds; only differences matter.
            max_keys: the size of the table.
        """
        self._allowance = allowance
        self._clock = clock
        self._max_keys = max_keys
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()  # tokens left, and the time of that count

    def __len__(self) -> int:
        """Return the number of keys in the table."""
        return len(self._left)

    def take(self, key: str, cost: float = 1.0) -> float:
        """Take tokens from a key's bucket.

        Returns:
            0; or, if the bucket has fewer than `cost` tokens, the seconds until it has enough (none are taken).
        """
        credits_left, wait, now = self._state(key, cost)
        self._left.pop(key, None)
        self._left[key] = (credits_left if wait else credits_left - cost, now)
        if len(self._left) > self._max_keys:
            self._left.popitem(last=False)
        return wait

    def peek(self, key: str, cost: float = 1.0) -> float:
        """Return what `take` would return, and take nothing."""
        return self._state(key, cost)[1]

    def _state(self, key: str, cost: float) -> tuple[float, float, float]:
        """Return the tokens of a key, the seconds until it has `cost` of them, and the time."""
        now, allowance = self._clock(), self._allowance
        before, since = self._left.get(key, (allowance.most, now))
        credits_left = min(allowance.most, before + max(0.0, now - since) * allowance.per_s)
        return credits_left, max(0.0, cost - credits_left) / allowance.per_s, now


NETWORK = 16
"""The limit of a whole network, see `network_of`, as a multiple of the limit of one address."""


class AddressLimiter:
    """A token bucket for each address, and a larger one for each network of IPv6 addresses."""

    def __init__(self, allowance: RateLimit, clock: Callable[[], float]) -> None:
        """Create a rate limiter with a limit for each address; `clock` as for `RateLimiter`."""
        self._addresses = RateLimiter(allowance, clock)
        self._networks = RateLimiter(allowance.times(NETWORK), clock)

    def take(self, address: str) -> float:
        """Take a token from the bucket of an address, and from that of its network.

        Args:
            address: a result of `neighbourhood`.

        Returns:
            0; or, if one of the buckets is empty, the seconds until it has a token.
        """
        wait = self._addresses.take(address)
        network = network_of(address)
        return wait if wait or network == address else self._networks.take(network)

    def peek(self, address: str) -> float:
        """Return what `take` would return, and take nothing."""
        return max(self._addresses.peek(address), self._networks.peek(network_of(address)))


def whole_seconds(wait_s: float) -> int:
    """Round a wait up to whole seconds, for messages to users."""
    return int(wait_s) + 1


class ConnectionLimit:
    """Limits the open connections of each address."""

    def __init__(self, most: int) -> None:
        """Allow each address at most `most` open connections."""
        self._most = most
        self._open: Counter[str] = Counter()

    def enter(self, key: str) -> bool:
        """Count a new connection and return True, or return False if the key is at its limit."""
        if self._open[key] >= self._most:
            return False
        self._open[key] += 1
        return True

    def leave(self, key: str) -> None:
        """Count the end of a connection."""
        self._open[key] -= 1
        if self._open[key] <= 0:
            del self._open[key]

    def __len__(self) -> int:
        """Return the number of addresses with open connections."""
        return len(self._open)


def neighbourhood(address: str) -> str:
    """Return the key that limits use for an address: the IPv4 address itself, or the /64 network of an IPv6 address."""
    parsed = _parsed(address)
    if parsed is None:
        return address[:64]
    if isinstance(parsed, ipaddress.IPv6Address):
        return str(ipaddress.IPv6Network((int(parsed), 64), strict=False))
    return str(parsed)


def network_of(address: str) -> str:
    """Return the /48 network of an IPv6 address or network, which one customer may own; an IPv4 address unchanged."""
    if ":" not in address:
        return address
    try:
        return str(ipaddress.IPv6Network(address).supernet(new_prefix=48))
    except ValueError:
        return address


def is_address(text: str) -> bool:
    """Return whether a text is an IPv4 or IPv6 address."""
    return _parsed(text) is not None


def is_this_machine(address: str) -> bool:
    """Return whether an address is a loopback address."""
    parsed = _parsed(address)
    return parsed is not None and parsed.is_loopback


def _parsed(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Parse an IP address, or return None; IPv4 addresses mapped to IPv6 become IPv4."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return None
    return getattr(parsed, "ipv4_mapped", None) or parsed


def address_of(connection: "HTTPConnection") -> str:
    """Return the client's address as a key for limits, see `neighbourhood`; "" if it is unknown."""
    return neighbourhood(connection.client.host) if connection.client else ""
