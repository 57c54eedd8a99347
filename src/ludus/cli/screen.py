"""What all commands share of the terminal: a console beside the output, one for tables, the notice of compilation.

Both print what they are given: names and paths that people choose, such as `net[v2]`, are no markup.
"""

from collections.abc import Generator
from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape

from ludus.kernel import announce_with

console = Console(stderr=True, highlight=False, markup=False, emoji=False)


def output(width: int | None = None) -> Console:
    """Return a console for tables in a command's output; `width` in columns, by default that of the terminal."""
    return Console(highlight=False, markup=False, emoji=False, width=width)


@contextmanager
def _spinner(subject: str) -> Generator[None]:
    if console.is_terminal:
        with console.status(f"compiling {escape(subject)} for this machine (once) ..."):
            yield
    else:
        console.print(f"compiling {subject} for this machine (once) ...")
        yield


def announce_compilation() -> None:
    """Show a notice whenever rules are compiled rather than loaded."""
    announce_with(_spinner)
