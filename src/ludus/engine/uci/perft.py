"""`go perft`: counts the move sequences of a length from a position, in its own thread."""

from __future__ import annotations

import threading
from collections.abc import Callable

from ludus.engine.conversation import Post, Say
from ludus.engine.uci.board import UciBoard
from ludus.games.rules import State

MAX_PERFT = 40
"""Largest depth; no computer could count that many sequences."""
AT_ONCE = 4  # depth that compiled code counts between two checks for `stop`: about a second


class Perft:
    """A running count, which can be stopped."""

    def __init__(self, board: UciBoard, depth: int, post: Post, say: Say, ended: Callable[[], object]) -> None:
        """Start counting sequences of `depth` actions."""
        self._stopped = threading.Event()
        self._post, self._say, self._ended = post, say, ended
        self._lines = 0
        threading.Thread(target=self._count, args=(board, depth), name="ludus-perft", daemon=True).start()

    def stop(self) -> None:
        """Stop counting; a partly counted first move is not reported."""
        self._stopped.set()

    def _count(self, board: UciBoard, depth: int) -> None:
        try:
            for action in board.legal:
                after = board.position.game.calls.play(board.position.state, action)
                lines = self._lines_from(board, after, depth - 1)
                if self._stopped.is_set():
                    break
                text = board.texts([action])[0]
                self._post(lambda text=text, lines=lines: self._tell(text, lines))
        finally:
            self._post(self._finish)

    def _lines_from(self, board: UciBoard, state: State, depth: int) -> int:
        if self._stopped.is_set():
            return 0
        if depth <= AT_ONCE:
            return board.game.perft(state, depth)
        calls = board.position.game.calls
        return sum(self._lines_from(board, calls.play(state, action), depth - 1) for action in calls.legal(state))

    def _tell(self, text: str, lines: int) -> None:
        self._lines += lines
        self._say(f"{text}: {lines}")

    def _finish(self) -> None:
        self._say(f"\nNodes searched: {self._lines}\n")
        self._ended()
