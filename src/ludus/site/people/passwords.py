"""Passwords are kept as argon2id hashes, which take time and memory to make: beside the event loop, a few at once."""

import asyncio
from functools import cached_property

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

AT_ONCE = 2
"""Hashes that are being made at a time; each takes 64 MiB and some tenths of a second."""


class Passwords:
    """Makes and checks hashes."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        """Prepare; a hasher of one's own is for tests, which are in a hurry."""
        self._hasher = hasher or PasswordHasher()
        self._free = asyncio.Semaphore(AT_ONCE)

    async def hash(self, password: str) -> str:
        """Return what is stored of a password."""
        async with self._free:
            return await asyncio.to_thread(self._hasher.hash, password)

    async def is_right(self, stored: str | None, password: str) -> bool:
        """Return whether this is the password; None for nobody's takes as long, and is never right."""
        async with self._free:
            return await asyncio.to_thread(self._verify, stored, password)

    def is_old(self, stored: str) -> bool:
        """Return whether a hash was made with weaker parameters than today's."""
        return self._hasher.check_needs_rehash(stored)

    @cached_property
    def _of_nobody(self) -> str:
        return self._hasher.hash("of nobody")

    def _verify(self, stored: str | None, password: str) -> bool:
        try:
            self._hasher.verify(stored or self._of_nobody, password)
        except (VerificationError, InvalidHashError):
            return False
        return stored is not None
