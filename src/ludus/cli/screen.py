"""What all commands share of the terminal: consoles for tables and for the rest, a bar, the notice of compilation.

Both print what they are given: names and paths that people choose, such as `net[v2]`, are no markup.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape
from rich.progress import Progress

from ludus.kernel import announce_with

console = Console(stderr=True, highlight=False, markup=False, emoji=False)


def output(width: int | None = None) -> Console:
    """Return a console for tables in a command's output; `width` in columns, by default that of the terminal."""
    return Console(highlight=False, markup=False, emoji=False, width=width)


@contextmanager
def progress_bar() -> Generator[Callable[[str, int, int], None]]:
    """Show a bar while the block runs; what it gives is told what is done, how many of it, of how many."""
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task("")
        yield lambda what, done, total: progress.update(task, description=what, completed=done, total=total)


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
