"""The command line: wires everything, owns no logic; a user's mistake is one sentence, never a traceback."""

import sys

from ludus.errors import LudusError


def main() -> None:
    """Run the command that the arguments name."""
    from ludus.cli.app import app
    from ludus.cli.interrupts import keep_interrupts

    keep_interrupts()
    try:
        app()
    except LudusError as error:
        print(f"ludus: {error}", file=sys.stderr)
        sys.exit(1)
    except MemoryError as error:
        print(f"ludus: this machine's memory is too small ({error}); ask for less at once.", file=sys.stderr)
        sys.exit(1)
    except BrokenPipeError:
        sys.exit(141)
