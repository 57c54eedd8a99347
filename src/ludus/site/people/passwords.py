"""Password hashing with argon2id in threads, a few at a time, since each hash takes time and memory."""

import asyncio
from typing import NamedTuple

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from ludus.lazy import lazy_property
from ludus.site.safety.fair_queue import FairQueue
from ludus.site.safety.limits import network_of

AT_ONCE = 2
"""Most hashes computed at a time, one for each queue; each takes 64 MiB of memory and some tenths of a second."""
MAX_WAITING = 512
"""Most waiting hashes of each queue."""
MAX_OWN = 4
"""Most waiting hashes of one address."""
PATIENCE_S = 30.0
"""Longest wait for a hash."""


class Asker(NamedTuple):
    """The sender of a password, for the order in which passwords are hashed."""

    address: str = ""
    """The address as a key for limits."""
    is_known: bool = False
    """Whether the sender is logged in, or has a device that has logged in with this name before."""


STRANGER = Asker()


class Passwords:
    """A password hasher with a queue for known devices and one for all others.

    A flood of passwords from new addresses thus does not delay people with known devices.
    """

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        """Create a password hasher; tests pass a faster `hasher`."""
        self._hasher = hasher or PasswordHasher()
        self._queues = {
            known: FairQueue(
                AT_ONCE // 2, max_waiting=MAX_WAITING, max_own=MAX_OWN, patience_s=PATIENCE_S, newest_first=True
            )
            for known in (False, True)
        }

    async def hash(self, password: str, asker: Asker = STRANGER) -> str:
        """Return the hash of a password; raises Unavailable if too many hashes are waiting."""
        async with self._queues[asker.is_known].place(network_of(asker.address)):
            return await asyncio.to_thread(self._hasher.hash, password)

    async def is_right(self, stored: str | None, password: str, asker: Asker = STRANGER) -> bool:
        """Return whether a password matches a stored hash.

        Args:
            stored: the hash; None: return False, after as much time as for a real hash.
            password: the password.
            asker: the sender of the password.

        Raises:
            Unavailable: too many hashes are waiting.
        """
        async with self._queues[asker.is_known].place(network_of(asker.address)):
            return await asyncio.to_thread(self._verify, stored, password)

    def is_old(self, stored: str) -> bool:
        """Return whether a hash has other argon2id parameters than those used for new hashes."""
        return self._hasher.check_needs_rehash(stored)

    @lazy_property
    def _of_nobody(self) -> str:
        return self._hasher.hash("of nobody")

    def _verify(self, stored: str | None, password: str) -> bool:
        try:
            self._hasher.verify(stored or self._of_nobody, password)
        except (VerificationError, InvalidHashError):
            return False
        return stored is not None
