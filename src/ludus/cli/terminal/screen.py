"""What all commands share of the terminal: consoles for tables and the rest, sentences, a bar, what is being compiled.

Both print what they are given: names and paths that people choose, such as `net[v2]`, are no markup.
"""

import re
from collections.abc import Callable, Generator
from contextlib import contextmanager

from rich.cells import cell_len
from rich.console import Console
from rich.markup import escape
from rich.progress import Progress

from ludus.kernel import announce_with

FILE_WIDTH = 200  # columns of a table that goes into a file, or to a program
_LEAD = re.compile(r"\s+(?:\S+\s{2,})?")  # of a line that stands under another: its indent, and a label such as `law`

console = Console(stderr=True, highlight=False, markup=False, emoji=False)


def is_live(on: Console) -> bool:
    """Return whether a console can show a picture that changes."""
    return on.is_terminal and not on.is_dumb_terminal


def output() -> Console:
    """Return a console for tables in a command's output, as wide as the terminal; a file has room for any table."""
    out = Console(highlight=False, markup=False, emoji=False)
    out.width = out.width if out.is_terminal else max(out.width, FILE_WIDTH)
    return out


def say(text: str, *, on: Console | None = None) -> None:
    """Print sentences, as output or on a console: on a terminal no word of them is broken, elsewhere no line is."""
    if on:
        on.print(fitted(text, on), soft_wrap=True)
    else:
        print(fitted(text, output()), flush=True)  # whoever reads a pipe hears it at once


def fitted(text: str, on: Console) -> str:
    """Return lines of text broken between words where a terminal is too narrow; as they are where there is none."""
    if not on.is_terminal:
        return text
    return "\n".join(_broken(line, on) for line in text.split("\n"))


def _broken(line: str, on: Console) -> str:
    """Return a line as several that stand under its text; a word that is too wide, such as a path, stays whole."""
    if cell_len(line) <= on.width:
        return line
    lead = found[0] if (found := _LEAD.match(line)) and len(found[0]) < on.width // 2 else ""
    broken = [""]
    for word in re.findall(r"\s*\S+", line[len(lead) :]):
        if broken[-1] and len(lead) + cell_len(broken[-1] + word) > on.width:
            broken.append(word.lstrip())
        else:
            broken[-1] += word
    return lead + f"\n{' ' * len(lead)}".join(broken)


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
