"""Converts a Gomocup manager's `INFO` settings (time, visits, memory, strength) to search limits."""

from __future__ import annotations

import msgspec

from ludus.games.game import Game
from ludus.games.gomoku.engines.gomocup.protocol import ManagerInfo
from ludus.players.thinking.clock import ClockState
from ludus.players.thinking.memory import visits_within
from ludus.players.thinking.seat import Limits

FULL_STRENGTH = 100
LEAST_S = 0.02
DEFAULT_TURN_MS = 30_000  # the protocol's default
UNLIMITED_MS = 2_000_000_000  # times of at least this value mean no limit
MEMORY_SHARE = 0.5  # fraction of the allowed memory for the search tree; the network needs the rest


class ManagerAllowance(msgspec.Struct, frozen=True):
    """The limits set by the manager; times in milliseconds."""

    turn_ms: int = DEFAULT_TURN_MS
    """Time of one move; 0: play at once."""
    match_ms: int = 0
    """Time of the whole game; 0: no limit."""
    left_ms: int | None = None
    """Remaining time of the game; None: unknown."""
    memory: int = 0
    """Memory in bytes; 0: no limit."""
    visits: int = 0
    """Visits of one search; 0: no limit."""
    strength: int = FULL_STRENGTH
    """Playing strength in percent."""

    def heard(self, info: ManagerInfo) -> ManagerAllowance:
        """Return the limits after an `INFO` command; unknown keys are ignored."""
        number, fields = info.number, KEYS.get(info.key)
        return self if number is None or fields is None else msgspec.structs.replace(self, **{fields: number})

    def spent(self, seconds: float) -> ManagerAllowance:
        """Return the limits after a move that took `seconds`, for managers that do not send the time left."""
        known = self.left_ms if self.left_ms is not None else self.match_ms or None
        left = None if known is None else max(0, known - round(1000 * seconds))
        return msgspec.structs.replace(self, left_ms=left)

    def limits(self, game: Game, *, visits: int, overhead_s: float, own_moves: int) -> Limits:
        """Return the limits of a search.

        Args:
            game: the game, which determines the memory of a visit.
            visits: upper limit of visits.
            overhead_s: time lost by communication in each move.
            own_moves: estimate of the engine's remaining moves.
        """
        most = min(visits, self.visits or visits)
        if self.memory:
            most = min(most, visits_within(game, max(1, round(MEMORY_SHARE * self.memory / 2**20))))
        if self.strength < FULL_STRENGTH:
            most = max(2, round(most ** (max(0, self.strength) / FULL_STRENGTH)))
        if self.turn_ms == 0:
            return Limits(most, seconds=LEAST_S)
        seconds, extension = max(LEAST_S, self.turn_ms / 1000.0 - overhead_s), 0.0
        left = self.left_ms if self.left_ms is not None else self.match_ms or None
        if left is not None and left < UNLIMITED_MS and (self.match_ms or self.left_ms is not None):
            budget = ClockState(remaining_s=left / 1000.0, overhead_s=overhead_s).budget(own_moves)
            extension = max(0.0, min(budget.extension, seconds - budget.seconds))
            seconds = min(seconds, max(LEAST_S, budget.seconds))
        return Limits(most, seconds=seconds, extension=extension, may_stop=True)


KEYS = {
    "timeout_turn": "turn_ms",
    "timeout_match": "match_ms",
    "time_left": "left_ms",
    "max_memory": "memory",
    "max_node": "visits",
    "strength": "strength",
}
