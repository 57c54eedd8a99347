"""The command line: wires everything, owns no logic; a user's mistake is one sentence, never a traceback."""

import errno
import io
import os
import re
import sys

from ludus.errors import LudusError, lacks_memory

DISK = (errno.ENOSPC, errno.EDQUOT, errno.EIO)  # it is full, or fails


def main() -> None:
    """Run the command that the arguments name."""
    from ludus.cli.app import app
    from ludus.cli.interrupts import ENDED, keep_interrupts, leave

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
    except LudusError as error:
        print(f"ludus: {error}", file=sys.stderr)
        sys.exit(1)
    except (MemoryError, RuntimeError) as error:
        if not lacks_memory(error):
            raise
        why = re.sub(r"\[enforce fail.*?\] .*?\. ", "", str(error).partition("\n")[0].rstrip("."))  # torch's own check
        print(f"ludus: this machine's memory is too small ({why}); ask for less at once.", file=sys.stderr)
        sys.exit(1)
    except BrokenPipeError:
        _drop_output()
        sys.exit(141)
    except OSError as error:
        if error.errno not in DISK:
            raise
        _drop_output()
        print(f"ludus: {error.filename or 'the output'}: cannot be written ({error.strerror}).", file=sys.stderr)
        sys.exit(1)


def _drop_output() -> None:
    """Let what is still to be printed go nowhere: Python would try it once more, and complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
