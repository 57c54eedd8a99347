"""Terminal output for all commands: consoles, messages, a progress bar, and notices of compilation.

Texts are printed literally: names and paths such as `net[v2]` are not markup.
"""

import re
from collections.abc import Callable, Generator
from contextlib import contextmanager, nullcontext

from rich.cells import cell_len
from rich.console import Console
from rich.markup import escape
from rich.progress import Progress

from ludus.kernel import announce_with

FILE_WIDTH = 200  # columns of a table that is written to a file or a pipe
_NAME = "ludus: "  # begins the error that ends a command
_LEAD = re.compile(r"\s+(?:\S+\s{2,})?")  # a line's indent, with a label such as `law`

console = Console(stderr=True, highlight=False, markup=False, emoji=False)


def is_live(on: Console) -> bool:
    """Return whether a console can update its picture."""
    return on.is_terminal and not on.is_dumb_terminal


def output() -> Console:
    """Return a console for tables, as wide as the terminal; a file or pipe gets enough width for any table."""
    out = Console(highlight=False, markup=False, emoji=False)
    out.width = out.width if out.is_terminal else max(out.width, FILE_WIDTH)
    return out


def duration(seconds: float) -> str:
    """Return a duration as text: `3 min 20 s`."""
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {seconds:02} s" if minutes else f"{seconds} s"


def say(text: str, *, on: Console | None = None) -> None:
    """Print a message to the output or a console: wrapped between words on a terminal, unwrapped elsewhere."""
    if on:
        on.print(fitted(text, on), soft_wrap=True)
    else:
        print(fitted(text, output()), flush=True)  # flush, so that a program that reads a pipe gets it at once


def say_error(sentence: str) -> None:
    """Report the error that ends a command."""
    say(f"{_NAME}{sentence}", on=console)


def last_sentence(said: str) -> str:
    """Return the last line that a command wrote, as another quotes it: an error without the program's name."""
    lines = [line.strip() for line in said.split("\n") if line.strip()]
    return lines[-1].removeprefix(_NAME) if lines else ""


def say_fault(fault: str) -> None:
    """Report a fault of a game record."""
    say(fault, on=console)


def fitted(text: str, on: Console) -> str:
    """Return text wrapped between words if the terminal is too narrow; unchanged if there is no terminal."""
    if not on.is_terminal:
        return text
    return "\n".join(_broken(line, on) for line in text.split("\n"))


def _broken(line: str, on: Console) -> str:
    """Return a line as several lines with a hanging indent; a word that is too long, such as a path, is not broken."""
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
    """Show a progress bar while the block runs; yields `update(what, done, total)`."""
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task("")
        yield lambda what, done, total: progress.update(task, description=what, completed=done, total=total)


@contextmanager
def spinner(text: str) -> Generator[None]:
    """Show a text with a spinner while the block runs, if the console can update its picture."""
    with console.status(escape(text)) if is_live(console) else nullcontext():
        yield


@contextmanager
def _compiling(subject: str) -> Generator[None]:
    text = f"compiling {subject} for this machine (once) ..."
    if not is_live(console):
        console.print(text)
    with spinner(text):
        yield


def announce_compilation() -> None:
    """Show a notice whenever rules are compiled instead of loaded from the cache."""
    announce_with(_compiling)
