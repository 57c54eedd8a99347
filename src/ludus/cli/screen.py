"""What all commands share of the terminal: consoles for tables and for the rest, a bar, the notice of compilation.

Both print what they are given: names and paths that people choose, such as `net[v2]`, are no markup.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape
from rich.progress import Progress

from ludus.kernel import announce_with

FILE_WIDTH = 200  # columns of a table that goes into a file, or to a program

console = Console(stderr=True, highlight=False, markup=False, emoji=False)


def is_live(on: Console) -> bool:
    """Return whether a console can show a picture that changes."""
    return on.is_terminal and not on.is_dumb_terminal


def output() -> Console:
    """Return a console for tables in a command's output, as wide as the terminal; a file has room for any table."""
    out = Console(highlight=False, markup=False, emoji=False)
    out.width = out.width if out.is_terminal else max(out.width, FILE_WIDTH)
    return out


@contextmanager
def progress_bar() -> Generator[Callable[[str, int, int], None]]:
    """Show a bar while the block runs; what it gives is told what is done, how many of it, of how many."""
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task("")
        yield lambda what, done, total: progress.update(task, description=what, completed=done, total=total)


@contextmanager
def _spinner(subject: str) -> Generator[None]:
    if is_live(console):
        with console.status(f"compiling {escape(subject)} for this machine (once) ..."):
            yield
    else:
        console.print(f"compiling {subject} for this machine (once) ...")
        yield


def announce_compilation() -> None:
    """Show a notice whenever rules are compiled rather than loaded."""
    announce_with(_spinner)
