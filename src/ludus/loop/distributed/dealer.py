"""The dealer: distributes a generation's games to members of different speed, and counts each game exactly once.

A game is waiting, held by one member, or finished.  Members get new games as they finish others, so fast and slow
members end at about the same time, without an estimate of their speeds.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable


class Dealer:
    """The distribution of a generation's games to members."""

    def __init__(self, numbers: Iterable[int]) -> None:
        """Store the numbers of the games to play."""
        self._left = deque(numbers)
        self._hands: dict[Hashable, set[int]] = {}

    @property
    def left(self) -> int:
        """Return the number of games that no member holds."""
        return len(self._left)

    @property
    def is_over(self) -> bool:
        """Return whether all games are finished."""
        return not self._left and not any(self._hands.values())

    def held(self, member: Hashable) -> int:
        """Return the number of games that a member holds."""
        return len(self._hands.get(member, ()))

    def deal(self, member: Hashable, count: int) -> list[int]:
        """Give up to `count` games to a member; return their numbers."""
        dealt = [self._left.popleft() for _ in range(min(max(0, count), len(self._left)))]
        self._hands.setdefault(member, set()).update(dealt)
        return dealt

    def take(self, member: Hashable, number: int) -> bool:
        """Record a finished game; return False if the member does not hold it, as after its games were dealt again."""
        hand = self._hands.get(member, set())
        if number not in hand:
            return False
        hand.remove(number)
        return True

    def lose(self, member: Hashable) -> int:
        """Take back the games of a lost member and deal them first; return their number."""
        lost = sorted(self._hands.pop(member, ()))
        self._left.extendleft(reversed(lost))
        return len(lost)


def wanted(*, held: int, in_flight: int, workers: int, lately: int) -> int:
    """Return how many more games keep a member busy for two more answers.

    Args:
        held: games that it holds.
        in_flight: games that it plays concurrently.
        workers: its threads; each may finish a game at any time.
        lately: games finished since its previous answer.
    """
    return max(0, in_flight + max(workers, 2 * lately) - held)
