"""The players of a Go engine: a model, on boards that fit into its frame, or a heuristic player."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from ludus.engine.asking import Thinker
from ludus.errors import BadGame
from ludus.games.game import Game, Position
from ludus.games.go.layout import MAX_SIZE
from ludus.games.registry import game as find_game
from ludus.network.evaluator import Evaluator
from ludus.players.judging.heuristic import StateEvaluator
from ludus.players.thinking.seat import Seat
from ludus.protocol.spec import planes_of

_SIDES = re.compile(r"go:(\d+)x\d+(?:@(\d+)x\d+)?(?::|$)", re.ASCII)


class GoPlayer(NamedTuple):
    """A player of Go."""

    name: str
    find: Callable[[int, str], Game]
    """Returns the game of a board size and rule set; raises BadInput if the player does not play it."""
    seat: Callable[[Position], Seat]
    evaluator: Evaluator | StateEvaluator
    """The player's evaluator; a network trained on final maps also predicts them."""
    close: Callable[[], None]
    largest: int = MAX_SIZE
    """Side of the largest board."""


def go_player(mind: Thinker) -> GoPlayer:
    """Return a player of all boards that fit into a model's frames, or of all boards without a model.

    Raises:
        BadGame: the model plays no Go.
    """
    if not mind.games:

        def find_any(size: int, rules: str) -> Game:
            return find_game(f"go:{size}x{size}:{rules}")

        return GoPlayer(f"Ludus {mind.name}", find_any, mind.seat, mind.evaluator, mind.close)
    frames = {spec: _SIDES.match(spec) for spec in mind.games}
    boards = {spec: (int(found[1]), int(found[2] or found[1])) for spec, found in frames.items() if found}
    if not boards:
        raise BadGame(f"{mind.name} plays {', '.join(mind.games)}, not Go.")

    def find(size: int, rules: str) -> Game:
        fitting = sorted((frame, abs(side - size), spec) for spec, (side, frame) in boards.items() if frame >= size)
        if not fitting:
            raise BadGame(f"{mind.name} plays no board of {size}x{size}; it plays {', '.join(boards)}.")
        frame, _, spec = fitting[0]
        game = find_game(f"go:{size}x{size}@{frame}x{frame}:{rules}{planes_of(spec)}")
        mind.seen(game.start())  # rules may add planes, such as that of the button
        return game

    largest = max(frame for _, frame in boards.values())
    return GoPlayer(mind.name, find, mind.seat, mind.evaluator, mind.close, largest)
