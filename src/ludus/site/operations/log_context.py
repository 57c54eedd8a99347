"""Which game a log line belongs to: bound to the task that works for it, and to nothing else that this task begins."""

import contextlib
import contextvars
from collections.abc import Generator

import structlog


def about_game(game_id: str) -> None:
    """Let every line of this task, and of those that it begins, say that it belongs to a game."""
    structlog.contextvars.bind_contextvars(game=game_id)


@contextlib.contextmanager
def within_game(game_id: str) -> Generator[None]:
    """Let every line from here to the end of the block say that it belongs to a game."""
    with structlog.contextvars.bound_contextvars(game=game_id):
        yield


def context_of_game(game_id: str) -> contextvars.Context:
    """Return the context of a task that a game begins by itself: it outlives the connection that caused it."""
    context = contextvars.Context()
    context.run(about_game, game_id)
    return context
