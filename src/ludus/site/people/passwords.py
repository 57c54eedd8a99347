"""Hashes passwords with argon2id beside the event loop, a few at once: each takes time and memory."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import cached_property

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from ludus.errors import Unavailable

AT_ONCE = 2
"""Hashes that are being made at a time; each takes 64 MiB and some tenths of a second."""
MAX_WAITING = 64
"""Others that wait for their turn: some seconds, which a person has."""


class Passwords:
    """Hashes and verifies passwords."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        """Prepare; tests pass a faster hasher."""
        self._hasher = hasher or PasswordHasher()
        self._free = asyncio.Semaphore(AT_ONCE)
        self._waiting = 0

    async def hash(self, password: str) -> str:
        """Return the hash of a password; raises Unavailable if too many wait."""
        async with self._turn():
            return await asyncio.to_thread(self._hasher.hash, password)

    async def is_right(self, stored: str | None, password: str) -> bool:
        """Return whether this is the password; checking None takes as long, and is never right.  Raises Unavailable."""
        async with self._turn():
            return await asyncio.to_thread(self._verify, stored, password)

    def is_old(self, stored: str) -> bool:
        """Return whether a hash was made with weaker parameters than today's."""
        return self._hasher.check_needs_rehash(stored)

    @asynccontextmanager
    async def _turn(self) -> AsyncGenerator[None]:
        """Wait for one of the few places, and hold it; raises Unavailable."""
        if self._waiting >= MAX_WAITING:
            raise Unavailable("Too many people log in at this moment; try again in a few seconds.")
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
