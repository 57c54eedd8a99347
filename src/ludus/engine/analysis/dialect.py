"""The interface of a dialect: another protocol, of one game, whose queries the analysis engine also reads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from ludus.engine.analysis.queue import SearchQueue
from ludus.engine.asking import Thinker
from ludus.engine.conversation import Post, Say


class Dialect(Protocol):
    """The open queries of a dialect; their searches run in other threads and return by `post`."""

    def __init__(
        self, minds: Sequence[Thinker], queue: SearchQueue, post: Post, say: Say, ended: Callable[[], None]
    ) -> None:
        """Create the dialect without queries.

        Args:
            minds: the players; the first that plays a query's game searches its positions.
            queue: the queue of searches, shared with all requests of the engine.
            post: delivers search results to this thread.
            say: writes a line.
            ended: called when no query is open any more.
        """
        ...

    @staticmethod
    def recognises(line: str) -> bool:
        """Return whether a line is in this dialect; requests of the analysis engine's own protocol have a `type`."""
        ...

    @property
    def is_busy(self) -> bool:
        """Whether queries are open."""
        ...

    def hear(self, line: str) -> None:
        """Handle a line; each query gets its answers, or one error."""
        ...

    def drop(self) -> None:
        """Cancel all queries without answers."""
        ...
