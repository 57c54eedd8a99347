"""Evaluators that judge states instead of planes, since they know the rules, and their way into a search."""

from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ludus.errors import BadGame
from ludus.games.game import Game
from ludus.network.evaluator import Logits, Outcomes, Planes
from ludus.search.tree import Trees


class StateEvaluator(Protocol):
    """Judges batches of positions from their states: an evaluator that knows the rules instead of planes."""

    def evaluate_states(self, game: Game, words: NDArray[np.uint64]) -> tuple[Logits, Outcomes]:
        """Judge states [B, W] of `game`, none of them finished."""
        ...


class StateLane:
    """The lane of an evaluator that judges states: it finds them in the trees of a search."""

    def __init__(self, game: Game, evaluator: StateEvaluator, batch: int, trees: Callable[[], Trees]) -> None:
        """Allocate rows without planes, which nobody would read and some games take long to write."""
        self.planes: Planes = np.zeros((batch, 0, 0, 0), np.uint8)
        self._game, self._evaluator, self._trees = game, evaluator, trees
        self._count = 0

    def submit(self, count: int) -> None:
        """Note how many rows the batch has."""
        self._count = count

    def answer(self) -> tuple[Logits, Outcomes]:
        """Judge the states of the batch; raise BadGame if the answers are no numbers."""
        t = self._trees()
        rows = t.row[: self._count]
        places = t.path[rows["path"], rows["depth"]]  # [B]
        words = t.words[rows["tree"], t.child["node"][rows["tree"], places]]  # [B, W]
        game, kind = self._game, type(self._evaluator).__name__
        # Machine code takes arrays as they are: of another type or order, they would be misread.
        answers = self._evaluator.evaluate_states(game, words)
        logits, outcomes = (np.ascontiguousarray(each, np.float32) for each in answers)
        if not np.isfinite(float(logits.sum()) + float(outcomes.sum())):
            raise BadGame(
                f"{game.name}: {kind} answers with numbers that are not finite; if the game has a heuristic, "
                f"`ludus check {game.name}` names its fault."
            )
        return logits, outcomes
