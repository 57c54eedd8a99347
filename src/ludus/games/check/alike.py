"""Finds positions that look alike in all planes but are not alike to a player: a plane is missing."""

from __future__ import annotations

import numpy as np

from ludus.games import scope
from ludus.games.check.laws import Sight
from ludus.games.game import Game
from ludus.games.rules import DRAW, FIRST_WINS, ONGOING, State

MEMORY = 200_000  # positions kept
SHOWN = 4  # items of the state that are named


class AlikePositions:
    """Remembers the planes of positions, and the clearest pair of positions that only a missing plane tells apart."""

    def __init__(self, game: Game) -> None:
        """Begin with no position."""
        self._game = game
        self._known: dict[int, tuple[frozenset[int], str, bytes]] = {}  # hash of planes -> legal actions, result, state
        self._items: list[int] = []
        self._differ = ""

    def note(self, state: State, sight: Sight) -> None:
        """Compare a position with an earlier one of the same planes."""
        legal, result = frozenset(sight.legal), _result(sight)
        known = self._known.setdefault(hash(sight.planes), (legal, result, state.tobytes()))
        if len(self._known) > MEMORY:
            self._known.clear()
        if known[:2] == (legal, result):
            return
        items = np.flatnonzero(np.frombuffer(known[2], state.dtype) != state).tolist()
        if not self._items or len(items) < len(self._items):
            self._items, self._differ = items, _difference(known[0], known[1], legal, result)

    def notice(self) -> str:
        """Return a sentence about a missing plane, without a period; empty if none is known to be missing."""
        if not self._items:
            return ""
        more = f" and {len(self._items) - SHOWN} more" if len(self._items) > SHOWN else ""
        items = f"{'items' if len(self._items) > 1 else 'item'} {', '.join(map(str, self._items[:SHOWN]))}{more}"
        what = f"two positions look alike in all planes, but {self._differ}; they differ in {items} of the state"
        return f"{what}: write that into a plane, since a network sees only planes ({scope.NOTHING_HIDDEN})"


def _result(sight: Sight) -> str:
    """Return how a game stands for the player to move."""
    if sight.outcome in (ONGOING, DRAW):
        return "goes on" if sight.outcome == ONGOING else "is drawn"
    return "is won" if sight.outcome - FIRST_WINS == sight.to_play else "is lost"


def _difference(legal: frozenset[int], result: str, other_legal: frozenset[int], other_result: str) -> str:
    if result != other_result:
        return f"one {result} for the mover and the other {other_result}"
    return f"action {min(legal ^ other_legal)} is legal in one of them only"
