"""Devices that have logged in before, and limits of password guesses that cannot lock their owners out.

A signed cookie lists the names with which a device has logged in (OWASP: "Slow Down Online Guessing Attacks with Device
Cookies").  A device in the list has a limit of its own for the name, and so has an address from which somebody logged
in with the name since the site started.  All others share one slow limit for each name.
"""

import secrets
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

from ludus.site.faults import TooOften
from ludus.site.people.keys import Signer
from ludus.site.safety.limits import RateLimit, RateLimiter, whole_seconds
from ludus.site.safety.names import folded
from ludus.site.safety.secrets import hash_of

OWN = RateLimit(most=10, per_s=1 / 30)
"""Rate limit of password checks for one name from a known device or address."""
OF_ADDRESS = RateLimit(most=10, per_s=1 / 120)
"""Rate limit of password checks for one name from one unknown address."""
OF_NAME = RateLimit(most=20, per_s=1 / 60)
"""Rate limit of password checks for one name from all unknown devices together."""
MAX_NAMES = 8
"""Most names that a device's cookie lists, the latest first."""
MAX_ADDRESSES = 20_000
_PURPOSE = "device"


class Device(NamedTuple):
    """A device and the names with which it has logged in."""

    id: str = ""
    """Random; empty: the device has never logged in."""
    names: tuple[str, ...] = ()
    """Hashes of the names."""

    @classmethod
    def of_cookie(cls, signer: Signer, cookie: str) -> "Device":
        """Read a device's cookie; an invalid one gives a device that has never logged in."""
        signed = signer.read(cookie, _PURPOSE)
        return cls(signed.text.split()[0], tuple(signed.text.split()[1:])) if signed else cls()

    def cookie(self, signer: Signer) -> str:
        """Return the text of the device's cookie."""
        return signer.sign(" ".join((self.id, *self.names)), _PURPOSE)

    def with_name(self, name: str) -> "Device":
        """Return the device after a log-in with a name."""
        others = (each for each in self.names if each != _key(name))
        return Device(self.id or secrets.token_urlsafe(9), (_key(name), *others)[:MAX_NAMES])


class Guesses:
    """Limits password checks, and remembers from which addresses log-ins succeeded."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """Create the limits; `clock` returns seconds from an arbitrary start."""
        self._own, self._of_address, self._of_name = (RateLimiter(each, clock) for each in (OWN, OF_ADDRESS, OF_NAME))
        self._known: OrderedDict[tuple[str, str], None] = OrderedDict()

    def is_known(self, name: str, device: Device, address: str) -> bool:
        """Return whether a device, or somebody at an address, has logged in with a name before."""
        return _key(name) in device.names or (_key(name), address) in self._known

    def take(self, name: str, device: Device, address: str) -> None:
        """Count a password check at a log-in; raises TooOften."""
        if self.is_known(name, device, address):
            self.take_own(name, device.id if _key(name) in device.names else address)
            return
        if wait_s := self._of_address.take(f"{_key(name)} {address}"):
            raise TooOften.of_address("attempts with this name came", wait_s)
        if wait_s := self._of_name.take(_key(name)):
            told = (
                f"Too many attempts with this name came from new devices; try again in {whole_seconds(wait_s)} seconds"
            )
            raise TooOften(f"{told}, or use a device on which you have logged in before.", wait_s)

    def take_own(self, name: str, who: str) -> None:
        """Count a password check of a known device, a known address or a session; raises TooOften."""
        if wait_s := self._own.take(f"{_key(name)} {who}"):
            told = f"Too many attempts with this name; try again in {whole_seconds(wait_s)} seconds."
            raise TooOften(told, wait_s)

    def succeeded(self, name: str, address: str) -> None:
        """Remember the address of a successful log-in."""
        self._known[_key(name), address] = None
        self._known.move_to_end((_key(name), address))
        if len(self._known) > MAX_ADDRESSES:
            self._known.popitem(last=False)


def _key(name: str) -> str:
    return hash_of(folded(name))[:12]
