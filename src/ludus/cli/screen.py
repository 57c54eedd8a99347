"""What all commands share of the terminal: one console, and the notice while rules are compiled."""

from collections.abc import Generator
from contextlib import contextmanager

from rich.console import Console

from ludus.kernel import announce_with

console = Console(stderr=True, highlight=False)


@contextmanager
def _spinner(subject: str) -> Generator[None]:
    if console.is_terminal:
        with console.status(f"compiling {subject} for this machine (once) ..."):
            yield
    else:
        console.print(f"compiling {subject} for this machine (once) ...")
        yield


def announce_compilation() -> None:
    """Show a notice whenever rules are compiled rather than loaded."""
    announce_with(_spinner)
