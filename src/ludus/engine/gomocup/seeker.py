"""Seeks the moves of a Gomoku engine, with a seat that keeps what it thought while the game only goes on."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import CancelledError
from typing import Protocol

from ludus.engine.conversation import Post
from ludus.engine.gomocup.board import Board
from ludus.games.game import Position
from ludus.players.thinking.seat import Limits, Request, Seat
from ludus.players.thinking.thought import Thought
from ludus.protocol.gomocup import Point, point_text
from ludus.viewpoint import turn

_log = logging.getLogger(__name__)

SHOWN = 8  # actions of a line that is told
Found = Callable[[Point, str], None]
"""Takes a move, and what was thought about it."""


class Mind(Protocol):
    """What plays."""

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    def seat(self, position: Position, *, seed: int = 0) -> Seat:
        """Sit down at a position; raises BadInput if it does not play there."""
        ...

    def close(self) -> None:
        """End what it does."""
        ...


class Seeker:
    """One search at a time."""

    def __init__(self, mind: Mind, post: Post, found: Found) -> None:
        """Sit down nowhere yet.

        Args:
            mind: plays.
            post: how searches come back to the conversation's thread.
            found: takes each move that was sought to its end.
        """
        self._mind, self._post, self._found = mind, post, found
        self._seat: Seat | None = None
        self._stones: list[tuple[Point, int]] = []  # on the seat's board
        self._request: Request | None = None

    @property
    def is_busy(self) -> bool:
        """Return whether a move is sought."""
        return self._request is not None

    def leave(self) -> None:
        """Have the next move sought without what was thought before."""
        self._seat = None

    def seek(self, board: Board, limits: Limits) -> None:
        """Begin to seek a move; raises BadInput if the mind does not play there."""
        request = self._request = self._seat_at(board).ask_within(limits)
        request.add_done_callback(lambda _: self._post(lambda: self._take(request, board)))

    def stop(self) -> None:
        """Have the best move by now found."""
        if self._request:
            self._request.stop()

    def forget(self) -> None:
        """End what is being thought, without an answer."""
        request, self._request = self._request, None
        if request:
            request.cancel()

    def _seat_at(self, board: Board) -> Seat:
        """Return a seat at the board, with what was thought before if the game has only gone on."""
        position = board.position
        seat, known = self._seat, self._stones
        goes_on = seat is not None and seat.position.game is position.game and board.stones[: len(known)] == known
        new = board.stones[len(known) :]
        if seat is None or not goes_on:
            seat = self._mind.seat(position)
        else:
            for (x, y), _ in new:
                seat.play(y * board.size + x)
            if seat.position.state.tolist() != position.state.tolist():  # stones of one colour in a row
                seat = self._mind.seat(position)
        self._seat, self._stones = seat, list(board.stones)
        return seat

    def _take(self, request: Request, board: Board) -> None:
        """Take what a search found."""
        if request is not self._request:
            return
        self._request = None
        try:
            thought = request.result()
        except CancelledError:
            return
        except Exception as fault:  # noqa: BLE001 - the manager waits for a move, whatever has happened
            _log.exception("A search failed.")
            central = min(board.free, key=lambda point: _off_centre(board, point))
            self._found(central, f"the search failed: {fault}")
        else:
            self._found(board.point(thought.best[0]), _summary(board, thought))


def _off_centre(board: Board, point: Point) -> int:
    return max(abs(2 * side - board.size + 1) for side in point)


def _summary(board: Board, thought: Thought) -> str:
    """Return what a search found, for people."""
    value = turn(thought.value, board.to_play)
    line = point_text(*(board.point(action) for action in thought.line[:SHOWN]))
    return f"{thought.visits} visits, {thought.seconds:.1f} s, win {50.0 + 50.0 * value:.0f} %: {line}"
