"""The command line: wires everything, owns no logic; a user's mistake is one sentence, never a traceback."""

import errno
import io
import os
import re
import signal
import sys

from ludus.errors import LudusError, cannot_compile, lacks_memory

DISK = (errno.ENOSPC, errno.EDQUOT, errno.EIO)  # it is full, or fails
CLOSED = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENAMETOOLONG, errno.ELOOP)  # a path that cannot be used


def main() -> None:
    """Run the command that the arguments name."""
    try:
        from ludus.cli.app import app
        from ludus.cli.terminal.interrupts import ENDED, keep_interrupts, leave
        from ludus.cli.terminal.screen import console, say
    except KeyboardInterrupt:  # half a second and more, in which people notice what they have mistyped
        sys.exit(128 + signal.SIGINT)

    keep_interrupts()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="surrogateescape")  # names of files are printed byte by byte as they are
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="surrogateescape")  # what people type is judged, whatever it is
    try:
        try:
            app()
        finally:
            print(end="", flush=True)  # what Python cannot write at its own end, nobody could catch
    except SystemExit as end:
        if isinstance(end.code, int) and end.code in ENDED:
            leave(end.code)
        raise
    except BrokenPipeError:
        _drop_output()
        sys.exit(141)
    except Exception as error:
        sentence = _sentence(error)
        if sentence is None:
            raise
        if isinstance(error, OSError):
            _drop_output()
        say(f"ludus: {sentence}", on=console)
        sys.exit(1)


def _sentence(error: Exception) -> str | None:
    """Return what a user, or the machine, can do about an error; None if it is a fault of Ludus."""
    if isinstance(error, LudusError):
        return str(error)
    if isinstance(error, (MemoryError, RuntimeError)) and lacks_memory(error):
        why = re.sub(r"\[enforce fail.*?\] .*?\. ", "", str(error).partition("\n")[0].rstrip("."))  # torch's own check
        return f"this machine's memory is too small ({why}); ask for less at once."
    if cannot_compile(error):
        why = str(getattr(error, "inner_exception", error)).partition("\n")[0].rstrip(".")
        return f"torch cannot compile the network here ({why}); set learner.compile = false, and the run goes on."
    if isinstance(error, OSError) and error.errno in DISK:
        return f"{error.filename or 'the output'}: cannot be written ({error.strerror})."
    if isinstance(error, OSError) and error.errno in CLOSED and error.filename:
        return f"{error.filename}: cannot be used ({error.strerror})."
    if isinstance(error, UnicodeEncodeError) and error.reason == "surrogates not allowed":
        name = os.fsencode(error.object).decode(errors="replace")
        return f"{name}: this name is not UTF-8, as it must be here; rename the file."
    return None


def _drop_output() -> None:
    """Let what is still to be printed go nowhere: Python would try it once more, and complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
