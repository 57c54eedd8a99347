"""The dealing of a generation's games to members that differ in speed and may be lost: each game counts exactly once.

A game is to be dealt, in one member's hand, or finished.  Games go out one by one, as members finish others, so that
fast and slow ones end about together: no share has to be guessed, and none is too large for who turns out slow.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable


class Dealer:
    """Who has which games of a generation."""

    def __init__(self, numbers: Iterable[int]) -> None:
        """Take the numbers of the games that are to be played."""
        self._left = deque(numbers)
        self._hands: dict[Hashable, set[int]] = {}

    @property
    def left(self) -> int:
        """Return how many games nobody has."""
        return len(self._left)

    @property
    def is_over(self) -> bool:
        """Return whether all games are finished."""
        return not self._left and not any(self._hands.values())

    def held(self, member: Hashable) -> int:
        """Return how many games a member has in its hand."""
        return len(self._hands.get(member, ()))

    def deal(self, member: Hashable, count: int) -> list[int]:
        """Give a member up to `count` games; return their numbers."""
        dealt = [self._left.popleft() for _ in range(min(max(0, count), len(self._left)))]
        self._hands.setdefault(member, set()).update(dealt)
        return dealt

    def take(self, member: Hashable, number: int) -> bool:
        """Take a finished game; return whether it counts: not from who was lost, since others have its games now."""
        hand = self._hands.get(member, set())
        if number not in hand:
            return False
        hand.remove(number)
        return True

    def lose(self, member: Hashable) -> int:
        """Take back what a lost member has, to be dealt first; return how many games."""
        lost = sorted(self._hands.pop(member, ()))
        self._left.extendleft(reversed(lost))
        return len(lost)


def wanted(*, held: int, in_flight: int, workers: int, lately: int) -> int:
    """Return how many more games keep a member busy until it is heard twice more.

    Args:
        held: games in its hand.
        in_flight: games that it plays at once.
        workers: its threads; each may end a game at any moment.
        lately: games that it finished since it was heard before.
    """
    return max(0, in_flight + max(workers, 2 * lately) - held)
