"""Searches the moves of a Gomoku engine with a seat that keeps its tree while moves are only added."""

from __future__ import annotations

from collections.abc import Callable

from ludus.engine.asking import Asking, Thinker
from ludus.engine.conversation import Post
from ludus.engine.gomocup.board import GomocupBoard
from ludus.players.thinking.seat import Limits, Seat
from ludus.players.thinking.thought import Thought
from ludus.protocol.gomocup import Point, point_text
from ludus.viewpoint import turn

SHOWN = 8  # actions of a line that is told
Found = Callable[[Point, str], None]
"""Takes a move, and what was thought about it."""


class Seeker:
    """One search at a time."""

    def __init__(self, thinker: Thinker, post: Post, found: Found) -> None:
        """Begin without a seat; `found` takes the move of each search that was not dropped."""
        self._thinker, self._found = thinker, found
        self._asking = Asking(post)
        self._seat: Seat | None = None
        self._stones: list[tuple[Point, int]] = []  # on the seat's board

    @property
    def is_busy(self) -> bool:
        """Return whether a move is sought."""
        return self._asking.is_busy

    def leave(self) -> None:
        """Search the next move in a new tree."""
        self._seat = None

    def seek(self, board: GomocupBoard, limits: Limits) -> None:
        """Begin to seek a move; raises BadInput if the thinker does not play there."""
        self._asking.ask(
            self._seat_at(board),
            limits,
            lambda thought: self._found(board.point(thought.best[0]), _summary(board, thought)),
            lambda fault: self._fail(board, fault),
        )

    def stop(self) -> None:
        """End the search with the best move found by now."""
        self._asking.stop()

    def forget(self) -> None:
        """Drop the search."""
        self._asking.drop()

    def _seat_at(self, board: GomocupBoard) -> Seat:
        """Return a seat at the board, with its old tree if moves were only added."""
        position = board.position
        seat, known = self._seat, self._stones
        goes_on = seat is not None and seat.position.game is position.game and board.stones[: len(known)] == known
        new = board.stones[len(known) :]
        if seat is None or not goes_on:
            seat = self._thinker.seat(position)
        else:
            for (x, y), _ in new:
                seat.play(y * board.size + x)
            if seat.position.state.tolist() != position.state.tolist():  # stones of one colour in a row
                seat = self._thinker.seat(position)
        self._seat, self._stones = seat, list(board.stones)
        return seat

    def _fail(self, board: GomocupBoard, fault: Exception) -> None:
        """Answer a failed search with a central point."""

        def off_centre(point: Point) -> int:
            return max(abs(2 * side - board.size + 1) for side in point)

        self._found(min(board.free, key=off_centre), f"the search failed: {fault}")


def _summary(board: GomocupBoard, thought: Thought) -> str:
    """Return what a search found, for people."""
    value = turn(thought.value, board.to_play)
    line = point_text(*(board.point(action) for action in thought.line[:SHOWN]))
    return f"{thought.visits} visits, {thought.seconds:.1f} s, win {50.0 + 50.0 * value:.0f} %: {line}"
