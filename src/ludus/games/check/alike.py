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
    """Remembers the planes of positions, and the clearest pair of positions that only a missing plane tells apart.

    Positions of finished games are not compared, since networks never see them: what counts is whether the same action
    ends the game in the same way.
    """

    def __init__(self, game: Game) -> None:
        """Begin with no position."""
        self._game = game
        self._legal: dict[int, tuple[frozenset[int], bytes]] = {}  # hash of planes -> legal actions, state
        self._results: dict[tuple[int, int], tuple[int, bytes]] = {}  # that hash, action -> outcome, state before it
        self._items: list[int] = []
        self._differ = ""

    def note(self, state: State, sight: Sight) -> None:
        """Compare the legal actions of a position with those of an earlier one of the same planes."""
        if sight.is_over:
            return
        legal = frozenset(sight.legal)
        other, twin = self._legal.setdefault(hash(sight.planes), (legal, state.tobytes()))
        if other != legal:
            self._keep(state, twin, f"action {min(legal ^ other)} is legal in one of them only")
        if len(self._legal) > MEMORY:
            self._legal.clear()

    def note_result(self, state: State, sight: Sight, action: int, outcome: int) -> None:
        """Compare the outcome of an action with that of the same action at an earlier position of the same planes."""
        other, twin = self._results.setdefault((hash(sight.planes), action), (outcome, state.tobytes()))
        if other != outcome:
            one, two = (_result(each, sight.to_play) for each in (other, outcome))
            self._keep(state, twin, f"after action {action} one {one} and the other {two}")
        if len(self._results) > MEMORY:
            self._results.clear()

    def _keep(self, state: State, twin: bytes, differ: str) -> None:
        items = np.flatnonzero(np.frombuffer(twin, state.dtype) != state).tolist()
        if items and (not self._items or len(items) < len(self._items)):
            self._items, self._differ = items, differ

    def notice(self) -> str:
        """Return a sentence about a missing plane, without a period; empty if none is known to be missing."""
        if not self._items:
            return ""
        more = f" and {len(self._items) - SHOWN} more" if len(self._items) > SHOWN else ""
        items = f"{'items' if len(self._items) > 1 else 'item'} {', '.join(map(str, self._items[:SHOWN]))}{more}"
        what = f"two positions look alike in all planes, but {self._differ}; they differ in {items} of the state"
        return f"{what}: write that into a plane, since a network sees only planes ({scope.NOTHING_HIDDEN})"


def _result(outcome: int, player: int) -> str:
    """Return how a game stands for a player."""
    if outcome in (ONGOING, DRAW):
        return "goes on" if outcome == ONGOING else "is drawn"
    return "is won by the mover" if outcome - FIRST_WINS == player else "is lost by the mover"
