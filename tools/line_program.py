"""A program that exchanges lines of text over pipes, with timeouts."""

import shlex
import subprocess
import threading
from contextlib import suppress
from queue import Empty, SimpleQueue

ENDED = "\0"
FAREWELL_S = 2.0


class ProtocolError(Exception):
    """Raised when a program violates its protocol; `program` is its number."""

    def __init__(self, program: int, what: str) -> None:
        super().__init__(what)
        self.program = program


class LineProgram:
    """A running program with pipes for its input and output."""

    def __init__(self, command: str, patience_s: float, number: int) -> None:
        """Start a command as program `number`; raises ProtocolError if it cannot be started."""
        self.command, self.number, self._patience_s = command, number, patience_s
        try:
            self._process = subprocess.Popen(
                shlex.split(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
        except (OSError, ValueError, IndexError) as error:  # not found, an open quote, or an empty command
            reason = error.strerror if isinstance(error, OSError) else error
            raise ProtocolError(self.number, f"cannot be started ({reason})") from error
        self._lines: SimpleQueue[str] = SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self._process.stdout, "its output is a pipe"
        with self._process.stdout as output:  # closed only by this thread
            for line in output:
                self._lines.put(line.rstrip("\r\n"))
        self._lines.put(ENDED)

    def say(self, line: str, end: str = "\n") -> None:
        """Write a line; raises ProtocolError if the program has ended."""
        assert self._process.stdin, "its input is a pipe"
        try:
            self._process.stdin.write(line + end)
            self._process.stdin.flush()
        except OSError as error:
            raise ProtocolError(self.number, f"has ended before {line!r}") from error

    def hear(self, question: str, patience_s: float | None = None) -> str:
        """Return the next line; raises ProtocolError after a timeout or the program's end."""
        try:
            line = self._lines.get(timeout=self._patience_s if patience_s is None else patience_s)
        except Empty as error:
            raise ProtocolError(self.number, f"does not answer {question!r}") from error
        if line == ENDED:
            raise ProtocolError(self.number, f"ended at {question!r}")
        return line

    def close(self, farewell: str) -> None:
        """Send a farewell, and kill the program if it does not end."""
        with suppress(ProtocolError):
            self.say(farewell)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(FAREWELL_S)
        self._process.kill()
        self._process.wait()
        with suppress(OSError):
            assert self._process.stdin, "its input is a pipe"
            self._process.stdin.close()
        self._reader.join(FAREWELL_S)  # ends with the program, unless a child process keeps its output open
