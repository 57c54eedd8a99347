"""The command line: runs the commands, contains no logic of its own, and prints user errors without a traceback."""

import errno
import io
import os
import re
import signal
import sys

from ludus.errors import LudusError, cannot_compile, lacking, lacks_memory
from ludus.system import pipe_encoding

DISK = (errno.ENOSPC, errno.EDQUOT, errno.EIO)  # the disk is full or broken
CLOSED = (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENAMETOOLONG, errno.ELOOP)  # an unusable path


def main() -> None:
    """Run the command given by the arguments."""
    try:
        from ludus.cli.app import app
        from ludus.cli.terminal.interrupts import ENDED, keep_interrupts, leave
        from ludus.cli.terminal.plain import use_plain_signs
        from ludus.cli.terminal.screen import say_error
        from ludus.kernel import cache_directory
        from ludus.trust import remember_in
    except KeyboardInterrupt:  # imports take half a second, in which a user may stop a mistyped command
        sys.exit(128 + signal.SIGINT)

    keep_interrupts()
    remember_in(cache_directory().parent / "named-games.json")
    for stream in (sys.stdin, sys.stdout):  # accept any input; the commands validate it
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding=pipe_encoding(stream.encoding), errors="surrogateescape")
    use_plain_signs()
    try:
        try:
            app()
        finally:
            print(end="", flush=True)  # flush here, because errors while Python exits cannot be caught
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
        say_error(sentence)
        sys.exit(1)


def _sentence(error: Exception) -> str | None:
    """Return an error message for a user error or a limit of the machine; None for a programming error."""
    if isinstance(error, LudusError):
        return str(error)
    if isinstance(error, ModuleNotFoundError) and (sentence := lacking(error.name)):
        return f"{sentence}."
    if isinstance(error, (MemoryError, RuntimeError)) and lacks_memory(error):
        why = re.sub(r"\[enforce fail.*?\] .*?\. ", "", str(error).partition("\n")[0].rstrip("."))  # torch's check
        return f"this machine does not have enough memory ({why}); use smaller numbers."
    if cannot_compile(error):
        why = str(getattr(error, "inner_exception", error)).partition("\n")[0].rstrip(".")
        return f"torch cannot compile the network here ({why}); set learner.compile = false, and continue the run."
    if isinstance(error, OSError) and error.errno in DISK:
        return f"{error.filename or 'the output'}: cannot be written ({error.strerror})."
    if isinstance(error, OSError) and error.errno in CLOSED and error.filename:
        return f"{error.filename}: cannot be used ({error.strerror})."
    if isinstance(error, UnicodeEncodeError) and error.reason == "surrogates not allowed":
        name = os.fsencode(error.object).decode(errors="replace")
        return f"{name}: this name is not valid UTF-8; rename the file."
    return None


def _drop_output() -> None:
    """Discard all remaining output, because Python would try to write it at exit and print an error."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
