"""The clocks of a Go game, as set by a GTP controller, and the time limit of a move."""

from __future__ import annotations

import math

import msgspec

from ludus.games.go.engines.gtp.protocol import SYNTAX_ERROR, Failure, number, whole
from ludus.players.thinking.clock import ClockState, PeriodRules
from ludus.players.thinking.seat import Limits
from ludus.search.settings import MAX_VISITS

LEAST_S = 0.01


class Times(msgspec.Struct, frozen=True):
    """A time control: main time, then Canadian or Japanese byo-yomi periods."""

    main_s: float = 0.0
    period_s: float = 0.0
    stones: int = 0
    """Stones to play in a period; 0: there are no periods."""
    periods: int = 0
    """Number of Japanese byo-yomi periods; 0: periods are Canadian."""

    @property
    def is_unlimited(self) -> bool:
        """Whether there is no clock; the protocol writes this as a period with 0 stones."""
        return self.stones == 0 and (self.period_s > 0.0 or self.main_s <= 0.0)


UNLIMITED = Times()


def read_times(arguments: tuple[str, ...]) -> Times:
    """Parse the arguments of `time_settings`; raises Failure."""
    if len(arguments) != 3:
        raise Failure(SYNTAX_ERROR)
    main_s, period_s = number(arguments[0]), number(arguments[1])
    if main_s < 0.0 or period_s < 0.0:
        raise Failure(SYNTAX_ERROR)
    return Times(main_s, period_s, whole(arguments[2]))


def read_kgs_times(arguments: tuple[str, ...]) -> Times:
    """Parse the arguments of `kgs-time_settings`: none, absolute, byoyomi or canadian; raises Failure."""
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
        times: the time control.
    """

    def __init__(self, overhead_s: float = 0.1) -> None:
        """Start without a time control; `overhead_s` is the time lost by communication in each move."""
        self.times, self._overhead_s = UNLIMITED, overhead_s
        self._left: dict[int, tuple[float, int]] = {}

    def agree(self, times: Times) -> None:
        """Set the time control."""
        self.times, self._left = times, {}

    def tell(self, player: int, seconds: float, stones: int) -> None:
        """Set a player's clock: the seconds left and, in a period, the stones left, else 0."""
        self._left[player] = max(0.0, seconds), stones

    def restart(self) -> None:
        """Reset both clocks for another game with the same time control."""
        self._left = {}

    def spend(self, player: int, seconds: float) -> None:
        """Subtract the time of a move, since not every controller sends `time_left`."""
        times = self.times
        if times.is_unlimited:
            return
        left, stones = self._left.get(player, (times.main_s, 0))
        left -= seconds + self._overhead_s
        if stones == 0 and left <= 0.0 and times.stones:
            left, stones = left + times.period_s, times.stones  # this move starts a period
        if stones == 1:
            left, stones = times.period_s, times.stones
        elif stones:
            stones -= 1
        self._left[player] = max(0.0, left), stones

    def limits(self, player: int, visits: int, expected_moves: int) -> Limits:
        """Return the limits of a search.

        Args:
            player: the player to move.
            visits: limit of visits without a clock; with a clock, only the tree's size limits visits.
            expected_moves: estimate of the player's remaining moves.
        """
        times = self.times
        if times.is_unlimited and player not in self._left:
            return Limits(visits)
        seconds, stones = self._left.get(player, (times.main_s, 0))
        rules = PeriodRules(times.period_s, times.stones, is_byo_yomi=times.periods > 0)
        main = ClockState(remaining_s=seconds, overhead_s=self._overhead_s)
        if stones:
            budget = rules.budget(seconds, stones, self._overhead_s)
        elif times.stones:
            budget = rules.budget_before(main, expected_moves)
        else:
            budget = main.budget(expected_moves)
        wanted = max(LEAST_S, budget.seconds)
        assert math.isfinite(wanted), "clocks are finite"
        return Limits(MAX_VISITS, seconds=wanted, extension=budget.extension, may_stop=True)
