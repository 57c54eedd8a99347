"""`go perft`: counts the lines of play from a position, in a thread of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable

from ludus.engine.conversation import Post, Say
from ludus.engine.uci.board import Board
from ludus.games.chess.perft import perft


class Perft:
    """A count that runs; it may be stopped between two moves of the position."""

    def __init__(self, board: Board, depth: int, post: Post, say: Say, ended: Callable[[], object]) -> None:
        """Begin to count lines of so many actions."""
        self._stopped = threading.Event()
        self._post, self._say, self._ended = post, say, ended
        self._lines = 0
        threading.Thread(target=self._count, args=(board, depth), name="ludus-perft", daemon=True).start()

    def stop(self) -> None:
        """Count no more moves."""
        self._stopped.set()

    def _count(self, board: Board, depth: int) -> None:
        for action in board.legal:
            if self._stopped.is_set():
                break
            lines = perft(board.game, board.game.calls.play(board.position.state, action), depth - 1)
            text = board.texts([action])[0]
            self._post(lambda text=text, lines=lines: self._tell(text, lines))
        self._post(self._finish)

    def _tell(self, text: str, lines: int) -> None:
        self._lines += lines
        self._say(f"{text}: {lines}")

    def _finish(self) -> None:
        self._say(f"\nNodes searched: {self._lines}\n")
        self._ended()
