"""Perfect play with the solver that a game brings, and the games that bring one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ludus.errors import BadInput
from ludus.games.game import Game
from ludus.games.registry import about, names
from ludus.games.rules import State
from ludus.games.solved import Solver
from ludus.search.backup import exact_value
from ludus.seeding import stream
from ludus.viewpoint import turn


def solved_games() -> tuple[str, ...]:
    """Return the names of the games that bring a solver; a game in a file may bring one, too."""
    return tuple(name for name in names() if about(name).solver)


def new_solver(game: Game) -> Solver:
    """Return a new solver of the game; raise BadInput if it brings none."""
    make = about(game.name).solver
    if not make:
        raise no_solver(game)
    return make(game)


def no_solver(game: Game) -> BadInput:
    """Return the error for a game that brings no solver."""
    return BadInput(f"solver: plays only {', '.join(solved_games())}, not {game.name}.")


def action_values(solver: Solver, game: Game, state: State) -> dict[int, int | None]:
    """Return the `value` after each legal action, in the solver's order.

    Args:
        solver: a solver of this game.
        game: the game.
        state: an unfinished state.
    """
    values: dict[int, int | None] = {}
    legal = set(game.calls.legal(state))
    for action in solver.order:
        if action in legal:
            after = game.calls.play(state, action)
            outcome = game.calls.outcome(after)
            values[action] = int(exact_value(outcome)) if outcome else solver.value(after)
    return values


class SolverPlayer:
    """Plays a random action proved to keep the outcome, else the first in the solver's order not proved lost."""

    name, identity = "solver", ""

    def __init__(self, seed: int = 0, *, solver: Solver | None = None) -> None:
        """Create the player.

        Args:
            seed: selects the random stream.
            solver: the solver of all games (default: each game's own).
        """
        self.moves, self.unproved = 0, 0  # numbers of all chosen moves and of those without a proof
        self._solver, self._own = solver, dict[str, Solver]()  # own: by game
        self._seed, self._rng = seed, stream(seed, "solver")

    def go_on(self, games: int) -> None:
        """Switch to the random stream for continuing a match after `games` games."""
        self._rng = stream(self._seed, "solver", games)

    def choose(self, game: Game, states: NDArray[np.uint64]) -> NDArray[np.int16]:
        """Return one action [K] for each state [K, words]; raise BadInput if the game brings no solver."""
        solver = self._solver or self._own.get(game.name)
        if not solver:
            solver = self._own[game.name] = new_solver(game)
        return np.array([self._choose(solver, game, np.ascontiguousarray(words)) for words in states], np.int16)

    def _choose(self, solver: Solver, game: Game, words: NDArray[np.uint64]) -> int:
        state: State = words.view(game.dtype)
        mover = int(game.rules.to_play(state))
        win = int(turn(1, mover))
        values = action_values(solver, game, state)
        known = [value for value in values.values() if value is not None]
        best = (max if mover == 0 else min)(known, default=None)
        worth = best if len(known) == len(values) or best == win else solver.value(state)
        keeping = [action for action, value in values.items() if value is not None and value == worth]
        self.moves += 1
        if not keeping:
            self.unproved += 1
            return next(action for action, value in values.items() if value != -win)
        return int(self._rng.choice(keeping))
