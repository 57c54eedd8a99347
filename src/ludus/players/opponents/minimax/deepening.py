"""Iterative deepening: minimax searches one action deeper each time until a limit; and the minimax player."""

from __future__ import annotations

import time

import msgspec
import numpy as np
from numpy.typing import NDArray

from ludus.games.game import Game
from ludus.kernel import prepare
from ludus.players.opponents.minimax.memory import DECIDED, MAX_DEPTH, MinimaxSettings, make_stack
from ludus.players.opponents.minimax.walk import SCALE, advance, begin

BETWEEN_LOOKS_S = 0.001  # interval of checks of the clock, by which a search may exceed its time
FIRST_NODES = 500  # nodes before the first check, when the speed is unknown


class Found(msgspec.Struct, frozen=True):
    """The result of a minimax search."""

    action: int
    value: float
    """Value in [-1, 1] seen by player 0; 1.0 and -1.0 are proved wins."""
    depth: int
    """Depth in actions of the last completed search."""
    nodes: int
    seconds: float


class Minimax:
    """A minimax search of one position at a time; results of one position are not used for the next."""

    def __init__(self, game: Game, settings: MinimaxSettings | None = None) -> None:
        """Allocate the memory, and compile the search for the game."""
        self.game = game
        self._stack = make_stack(game, settings or MinimaxSettings())
        self._control = self._stack.control[0]
        prepare(begin, game.rules, self._stack, 1)
        prepare(advance, game.rules, self._stack, 1)

    def search(
        self,
        words: NDArray[np.uint64],
        *,
        depth: int = MAX_DEPTH,
        seconds: float | None = None,
        nodes: int | None = None,
    ) -> Found:
        """Return the best action of an unfinished position.

        The search to depth 1 is always completed; then the first limit that is reached ends the search.  The best
        action of an incomplete depth is used, since that depth tries the previous best action first.

        Args:
            words: the state as words.  # [W]
            depth: largest depth in actions, 1 to 60.
            seconds: limit of wall time.
            nodes: limit of searched positions.
        """
        started = time.perf_counter()
        control, stack = self._control, self._stack
        with np.errstate(over="ignore"):
            control["salt"] += np.uint64(0x9E3779B97F4A7C15)
        control["age"], control["nodes"], control["first"] = (int(control["age"]) + 1) % 256, 0, -1
        stack.states.view(np.uint64)[0] = self.game.for_search(words.view(self.game.dtype)).view(np.uint64)
        stack.killers.fill(-1)
        stack.history.fill(0)
        action, value, done = -1, 0, 0
        while done < min(depth, MAX_DEPTH, self.game.max_actions):
            completed = self._deepen(done + 1, started, seconds if done else None, nodes if done else None)
            node = stack.node[0]
            if int(node["move"]) >= 0:
                action, value = int(node["move"]), int(node["best"])
            if not completed:
                break
            done += 1
            control["first"] = action
            if abs(value) > DECIDED or (int(node["count"]) == 1 and seconds is not None):
                break
        return Found(action, _as_value(value), done, int(control["nodes"]), time.perf_counter() - started)

    def _deepen(self, depth: int, started: float, seconds: float | None, nodes: int | None) -> bool:
        """Search to one depth; return whether it was completed within the limits."""
        rules, stack, control = self.game.rules, self._stack, self._control
        begin(rules, stack, depth)
        chunk = FIRST_NODES
        while True:
            before, looked = int(control["nodes"]), time.perf_counter()
            left = chunk if nodes is None else min(chunk, nodes - before)
            if left <= 0 or (seconds is not None and looked - started >= seconds):
                return False
            if advance(rules, stack, left):
                return True
            took = time.perf_counter() - looked
            speed = (int(control["nodes"]) - before) / max(took, 1e-6)
            chunk = max(1, int(speed * BETWEEN_LOOKS_S))


def _as_value(value: int) -> float:
    if abs(value) > DECIDED:
        return 1.0 if value > 0 else -1.0
    return value / SCALE


class MinimaxPlayer:
    """Plays by minimax with a limit of depth, time or nodes for each action."""

    def __init__(
        self,
        name: str,
        settings: MinimaxSettings | None = None,
        *,
        depth: int = MAX_DEPTH,
        seconds: float | None = None,
        nodes: int | None = None,
    ) -> None:
        """Set the limits of each search."""
        self.name, self.identity = name, ""
        self._settings, self._depth, self._seconds, self._nodes = settings, depth, seconds, nodes
        self._searches: dict[str, Minimax] = {}

    def go_on(self, games: int) -> None:
        """Do nothing, since minimax draws no random numbers."""

    def choose(self, game: Game, states: NDArray[np.uint64]) -> NDArray[np.int16]:
        """Return one action [K] for each state [K, words]; they are searched one after another."""
        search = self._searches.get(game.name) or Minimax(game, self._settings)
        self._searches[game.name] = search
        return np.array(
            [
                search.search(words, depth=self._depth, seconds=self._seconds, nodes=self._nodes).action
                for words in states
            ],
            np.int16,
        )
