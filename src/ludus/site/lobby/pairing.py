"""Decides who plays whom in quick pairing; pure functions of those who wait and the time.

The range of ratings that a person accepts widens while the person waits, so that nobody waits in vain while somebody
else does, and those who have just come meet equals first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from ludus.site.table.clock import TimeControl, time_class

UNRATED = 1500
"""What guests and accounts without a rating count as."""
WIDENS_BY = 50
WIDENS_EVERY_MS = 10_000


class Seek(Struct, frozen=True):
    """A person who waits for an opponent."""

    key: str
    """The visitor; see `Visitor.person`."""
    spec: str
    """The name of the game."""
    rated: bool
    controls: tuple[TimeControl | None, ...]
    """The accepted time controls, the preferred one first; None: no clocks."""
    ratings: Mapping[str, int]
    """The person's ratings in this game by time class."""
    range: int | None
    """The accepted difference of ratings at the beginning; None: any."""
    since: int
    """When the wait began, in milliseconds since 1970."""

    def range_at(self, now: int) -> int | None:
        """Return the accepted difference of ratings at a time; None: any."""
        return None if self.range is None else self.range + WIDENS_BY * (max(0, now - self.since) // WIDENS_EVERY_MS)

    def rating(self, control: TimeControl | None) -> int:
        """Return the rating in the time class of a time control."""
        return self.ratings.get(time_class(control), UNRATED)

    def accepts(self, control: TimeControl | None, rating: int | None, now: int) -> bool:
        """Return whether an opponent with a rating is welcome in games with a time control."""
        most = self.range_at(now)
        near = most is None or abs(self.rating(control) - (UNRATED if rating is None else rating)) <= most
        return near and any(is_same_time(control, each) for each in self.controls)


class Pair(Struct, frozen=True):
    """Two people who play each other."""

    first: Seek
    """The one who has waited longer."""
    second: Seek
    control: TimeControl | None
    """The time control that the first prefers among those that both accept."""


def is_same_time(one: TimeControl | None, other: TimeControl | None) -> bool:
    """Return whether two time controls differ in nothing but their names."""
    return (one and replace(one, preset=None)) == (other and replace(other, preset=None))


def pairs(
    seeks: Iterable[Seek], now: int, are_apart: Callable[[str, str], bool] = lambda _one, _other: False
) -> list[Pair]:
    """Return who is seated at this time: those who have waited longest choose first, among equals in rating first.

    Args:
        seeks: those who wait.
        now: the time in milliseconds since 1970.
        are_apart: returns whether one of two people has blocked the other.
    """
    waiting = sorted(seeks, key=lambda seek: seek.since)
    found, taken = list[Pair](), set[str]()
    for index, seek in enumerate(waiting):
        if seek.key in taken:
            continue
        others = [
            pair
            for other in waiting[index + 1 :]
            if other.key not in taken and (pair := _pair(seek, other, now)) and not are_apart(seek.key, other.key)
        ]
        if others:
            best = min(others, key=lambda pair: abs(seek.rating(pair.control) - pair.second.rating(pair.control)))
            found.append(best)
            taken |= {best.first.key, best.second.key}
    return found


def _pair(seek: Seek, other: Seek, now: int) -> Pair | None:
    """Return the game of two people; None if they do not fit."""
    if (seek.spec, seek.rated) != (other.spec, other.rated) or seek.key == other.key:
        return None
    for control in seek.controls:
        if seek.accepts(control, other.rating(control), now) and other.accepts(control, seek.rating(control), now):
            return Pair(seek, other, control)
    return None


def same_board(seeks: Sequence[Seek], seek: Seek) -> int:
    """Return how many others wait for an opponent on the same board."""
    return sum(each.spec == seek.spec and each.key != seek.key for each in seeks)
