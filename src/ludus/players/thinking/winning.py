"""Within how many moves a proved win comes: counted in the proof itself, where the loser delays the end for longest."""

from __future__ import annotations

import numpy as np

from ludus.games.game import Game
from ludus.search.backup import DRAW
from ludus.search.tree import EXPANDED, TERMINAL, Trees

MOST_NODES = 5000
"""Most nodes of a proof that are counted."""
MOST_LEAVES = 300
"""Most positions with a foreseen win whose actions are tried: the win counts if one of them ends the game."""
MOST_LEVELS = 60
"""Most actions of a line."""


class ProofTooLargeError(Exception):
    """Raised when counting a proof would take long."""


class Proof:
    """The proof that a side wins, in a search tree."""

    def __init__(self, game: Game, t: Trees, g: int, winner: int) -> None:
        """Begin to read a proof.

        Args:
            game: the game.
            t: the trees.
            g: number of the tree.
            winner: the side that wins.
        """
        self._game, self._t, self._g, self._winner = game, t, g, winner
        self._nodes, self._leaves = MOST_NODES, MOST_LEAVES

    def moves_below(self, at: int) -> int:
        """Return within how many of its own moves the side wins after the first action of a line.

        Return 0 if this is not proved, or if the proof is too large to be counted.

        Args:
            at: the child of the root that the action leads to.
        """
        try:
            number = self._moves(at, 0)
        except ProofTooLargeError:
            return 0
        return 0 if number is None else number + self._completes(0, at)

    def _moves(self, at: int, level: int) -> int | None:
        """Return the moves of the winner from a node on; None if it is unknown."""
        self._nodes -= 1
        if self._nodes < 0 or level > MOST_LEVELS:
            raise ProofTooLargeError
        here = self._t.child[self._g, at]
        if int(here["proof"]) != 1 + self._winner:
            return None
        kind = int(here["kind"])
        if kind == TERMINAL:
            return 0
        if kind != EXPANDED:
            return 1 if int(here["mover"]) == self._winner and self._ends(int(here["node"])) else None
        first = int(here["first_child"])
        below = range(first, first + int(here["num_children"]))
        if int(here["mover"]) != self._winner:
            found = [self._moves(each, level + 1) for each in below]
            counts = [each for each in found if each is not None]
            return max(counts) if counts and len(counts) == len(found) else None
        best: int | None = None
        for each in below:
            number = self._moves(each, level + 1)
            if number is not None:
                number += self._completes(at, each)
                best = number if best is None else min(best, number)
        return best

    def _completes(self, at: int, below: int) -> int:
        """Return 1 if the action between two nodes completes a move of the winner, else 0."""
        before, after = self._t.child[self._g, at], self._t.child[self._g, below]
        mine = int(before["mover"]) == self._winner
        return int(mine and (int(after["kind"]) == TERMINAL or int(after["mover"]) != self._winner))

    def _ends(self, node: int) -> bool:
        """Return whether an action of the winner ends the game with the win."""
        self._leaves -= 1
        if self._leaves < 0:
            raise ProofTooLargeError
        calls, state = self._game.calls, np.array(self._t.states[self._g, node])
        return any(calls.outcome(calls.play(state, action)) == 1 + self._winner for action in calls.legal(state))


def wins_within(game: Game, t: Trees, g: int, at: int) -> int:
    """Return within how many of its moves the side with a proved win wins by an action of the root; 0: unknown.

    Args:
        game: the game.
        t: the trees.
        g: number of the tree.
        at: the child of the root that the action leads to; -1: the action has no visits.
    """
    proof = int(t.child["proof"][g, at]) if at >= 0 else 0
    return 0 if proof in (0, DRAW) else Proof(game, t, g, proof - 1).moves_below(at)
