"""Password hashing with argon2id in threads, a few at a time, since each hash takes time and memory."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import cached_property

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from ludus.errors import Unavailable

AT_ONCE = 2
"""Most hashes computed at a time; each takes 64 MiB of memory and some tenths of a second."""
MAX_WAITING = 64
"""Most waiting hashes, which together take some seconds."""


class Passwords:
    """A password hasher with a limited number of hashes at a time."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        """Create a password hasher; tests pass a faster `hasher`."""
        self._hasher = hasher or PasswordHasher()
        self._free = asyncio.Semaphore(AT_ONCE)
        self._waiting = 0

    async def hash(self, password: str) -> str:
        """Return the hash of a password; raises Unavailable if too many hashes are waiting."""
        async with self._turn():
            return await asyncio.to_thread(self._hasher.hash, password)

    async def is_right(self, stored: str | None, password: str) -> bool:
        """Return whether a password matches a stored hash.

        Args:
            stored: the hash; None: return False, after as much time as for a real hash.
            password: the password.

        Raises:
            Unavailable: too many hashes are waiting.
        """
        async with self._turn():
            return await asyncio.to_thread(self._verify, stored, password)

    def is_old(self, stored: str) -> bool:
        """Return whether a hash has other argon2id parameters than those used for new hashes."""
        return self._hasher.check_needs_rehash(stored)

    @asynccontextmanager
    async def _turn(self) -> AsyncGenerator[None]:
        """Wait until fewer than AT_ONCE hashes run, and hold that slot during the block; raises Unavailable."""
        if self._waiting >= MAX_WAITING:
            raise Unavailable("Too many people are logging in; try again in a few seconds.")
        self._waiting += 1
        try:
            await self._free.acquire()
        finally:
            self._waiting -= 1
        try:
            yield
        finally:
            self._free.release()

    @cached_property
    def _of_nobody(self) -> str:
        return self._hasher.hash("of nobody")

    def _verify(self, stored: str | None, password: str) -> bool:
        try:
            self._hasher.verify(stored or self._of_nobody, password)
        except (VerificationError, InvalidHashError):
            return False
        return stored is not None
