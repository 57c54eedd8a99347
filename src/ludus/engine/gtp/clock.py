"""The clocks of a Go game as a controller tells them, and how long a move may take."""

from __future__ import annotations

import math

import msgspec

from ludus.players.thinking.clock import Budget, ClockState
from ludus.players.thinking.seat import Limits
from ludus.protocol.gtp import SYNTAX_ERROR, Failure, number, whole
from ludus.search.settings import MAX_VISITS

LEAST_S = 0.01
BYOYOMI_SHARE = 0.8
"""Of a period of Japanese byo-yomi that a move takes: what is left of it is lost anyway."""


class Times(msgspec.Struct, frozen=True):
    """Main time, then periods: of so many stones each (Canadian), or of one stone, of which some may be used up."""

    main_s: float = 0.0
    period_s: float = 0.0
    stones: int = 0
    """In a period; 0: there are no periods."""
    periods: int = 0
    """Of Japanese byo-yomi; 0: periods are Canadian."""

    @property
    def is_unlimited(self) -> bool:
        """Whether there is no clock: so a period without stones is meant, by the protocol."""
        return self.stones == 0 and (self.period_s > 0.0 or self.main_s <= 0.0)


UNLIMITED = Times()


def read_times(arguments: tuple[str, ...]) -> Times:
    """Return the times of `time_settings`; raises Failure."""
    if len(arguments) != 3:
        raise Failure(SYNTAX_ERROR)
    main_s, period_s = number(arguments[0]), number(arguments[1])
    if main_s < 0.0 or period_s < 0.0:
        raise Failure(SYNTAX_ERROR)
    return Times(main_s, period_s, whole(arguments[2]))


def read_kgs_times(arguments: tuple[str, ...]) -> Times:
    """Return the times of `kgs-time_settings`: none, absolute, byoyomi or canadian; raises Failure."""
    kind, numbers = arguments[0].lower() if arguments else "", [number(text) for text in arguments[1:]]
    if any(each < 0.0 for each in numbers):
        raise Failure(SYNTAX_ERROR)
    match kind, len(numbers):
        case "none", 0:
            return UNLIMITED
        case "absolute", 1:
            return Times(numbers[0])
        case "byoyomi", 3:
            return Times(numbers[0], numbers[1], 1, periods=max(1, int(numbers[2])))
        case "canadian", 3:
            return Times(numbers[0], numbers[1], max(1, int(numbers[2])))
        case _:
            raise Failure(SYNTAX_ERROR)


class Clocks:
    """Both players' clocks.

    Attributes:
        times: what was agreed.
    """

    def __init__(self, overhead_s: float = 0.1) -> None:
        """Begin without a clock; `overhead_s` is lost with each move."""
        self.times, self._overhead_s = UNLIMITED, overhead_s
        self._left: dict[int, tuple[float, int]] = {}

    def agree(self, times: Times) -> None:
        """Take other times."""
        self.times, self._left = times, {}

    def tell(self, player: int, seconds: float, stones: int) -> None:
        """Note what a player's clock shows: seconds and, in a period, the stones to play in them, else 0."""
        self._left[player] = max(0.0, seconds), stones

    def restart(self) -> None:
        """Begin another game with the same times."""
        self._left = {}

    def spend(self, player: int, seconds: float) -> None:
        """Count what a move has taken: not every controller tells what a clock shows."""
        times = self.times
        if times.is_unlimited:
            return
        left, stones = self._left.get(player, (times.main_s, 0))
        left -= seconds + self._overhead_s
        if stones == 0 and left <= 0.0 and times.stones:
            left, stones = left + times.period_s, times.stones  # the move is the first of a period
        if stones == 1:
            left, stones = times.period_s, times.stones
        elif stones:
            stones -= 1
        self._left[player] = max(0.0, left), stones

    def limits(self, player: int, visits: int, expected_moves: int) -> Limits:
        """Return when a search ends.

        Args:
            player: who moves.
            visits: if there is no clock; else no more than the tree holds.
            expected_moves: that the player is still to make.
        """
        times = self.times
        if times.is_unlimited and player not in self._left:
            return Limits(visits)
        seconds, stones = self._left.get(player, (times.main_s, 0))
        if stones:
            budget = self._in_period(seconds, stones)
        else:
            budget = ClockState(remaining_s=seconds, overhead_s=self._overhead_s).budget(expected_moves)
        if times.stones and not stones:  # a move that uses the main time up goes on in a period
            more = self._in_period(times.period_s, times.stones)
            budget = Budget(budget.seconds + more.seconds, budget.extension + more.extension)
        wanted = max(LEAST_S, budget.seconds)
        assert math.isfinite(wanted), "clocks are finite"
        return Limits(MAX_VISITS, seconds=wanted, extension=budget.extension, may_stop=True)

    def _in_period(self, seconds: float, stones: int) -> Budget:
        """Return how long a move may take in a period of which so many seconds and stones are left."""
        if self.times.periods:
            return Budget(max(0.0, BYOYOMI_SHARE * seconds - self._overhead_s))
        return ClockState(remaining_s=seconds, moves_to_go=stones, overhead_s=self._overhead_s).budget()
