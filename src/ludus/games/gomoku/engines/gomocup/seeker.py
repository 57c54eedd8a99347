"""Searches moves for a Gomoku engine, and keeps the search tree while stones are only added."""

from __future__ import annotations

from collections.abc import Callable

from ludus.engine.asking import Asking, Thinker
from ludus.engine.conversation import Post
from ludus.games.game import Game
from ludus.games.gomoku.engines.gomocup.board import GomocupBoard
from ludus.games.gomoku.engines.gomocup.protocol import Point, point_text
from ludus.players.thinking.seat import Limits, Seat
from ludus.players.thinking.thought import Thought
from ludus.viewpoint import turn

SHOWN = 8  # actions of the main line in a message
Found = Callable[[Point, str], None]
"""Called with a move and a description of its search."""


class Seeker:
    """Runs one search for a move at a time."""

    def __init__(self, thinker: Thinker, post: Post, found: Found) -> None:
        """Create a seeker without a tree; `found` is called with the move of each search that was not dropped."""
        self._thinker, self._found = thinker, found
        self._asking = Asking(post)
        self._seat: Seat | None = None
        self._game: Game | None = None  # of the seat's board; the seat itself may have a game with more planes
        self._stones: list[tuple[Point, int]] = []  # on the seat's board

    @property
    def is_busy(self) -> bool:
        """Return whether a search is running."""
        return self._asking.is_busy

    def leave(self) -> None:
        """Discard the search tree."""
        self._seat = None

    def seek(self, board: GomocupBoard, limits: Limits) -> None:
        """Start a search for a move; raises BadInput if the player does not play this game."""
        self._asking.ask(
            self._seat_at(board),
            limits,
            lambda thought: self._found(board.point(thought.best[0]), _summary(board, thought)),
            lambda fault: self._fail(board, fault),
        )

    def stop(self) -> None:
        """Stop the search early; its best move so far is the result."""
        self._asking.stop()

    def forget(self) -> None:
        """Cancel the search without a result."""
        self._asking.drop()

    def _seat_at(self, board: GomocupBoard) -> Seat:
        """Return a seat at the board's position; it keeps its tree if stones were only added."""
        position = board.position
        seat, known = self._seat, self._stones
        goes_on = seat is not None and self._game is position.game and board.stones[: len(known)] == known
        new = board.stones[len(known) :]
        if seat is None or not goes_on:
            seat = self._thinker.seat(position)
        else:
            for (x, y), _ in new:
                seat.play(y * board.size + x)
            if seat.position.state.tolist() != position.state.tolist():  # two consecutive stones of one colour
                seat = self._thinker.seat(position)
        self._seat, self._game, self._stones = seat, position.game, list(board.stones)
        return seat

    def _fail(self, board: GomocupBoard, fault: Exception) -> None:
        """Answer a failed search with the free point nearest to the centre."""

        def off_centre(point: Point) -> int:
            return max(abs(2 * side - board.size + 1) for side in point)

        self._found(min(board.free, key=off_centre), f"the search failed: {fault}")


def _summary(board: GomocupBoard, thought: Thought) -> str:
    """Describe the result of a search in one line of text."""
    value = turn(thought.value, board.to_play)
    line = point_text(*(board.point(action) for action in thought.line[:SHOWN]))
    return f"{thought.visits} visits, {thought.seconds:.1f} s, win {50.0 + 50.0 * value:.0f} %: {line}"
