"""Training beside other work: progress as JSON lines, and an end with the program that starts it."""

from __future__ import annotations

import os
import signal
import threading
import time
from contextlib import suppress

import msgspec

from ludus.arena.summary import MatchResult
from ludus.loop.directory.lines import GenerationMetrics
from ludus.loop.stages.stage import RunNotice, RunProgress
from ludus.system import signal_main

EVERY_S = 0.5
"""Least interval between two lines about one stage."""
PATIENCE_S = 10.0
"""How long an interrupted run may take to end; then the process ends at once, which damages no file."""


class ProgressLine(msgspec.Struct, frozen=True):
    """The progress of a run in the background, as one JSON line on standard output."""

    generation: int
    stage: str
    """`self-play`, `learning` or `matches`."""
    done: int
    total: int


def end_with_input() -> None:
    """Interrupt this process at the end of standard input, whose other end the starting program holds."""

    def wait() -> None:
        while os.read(0, 4096):
            pass
        signal_main(signal.SIGTERM)
        time.sleep(PATIENCE_S)
        os._exit(1)  # no signal handler has run: the main thread is in compiled code

    threading.Thread(target=wait, name="ludus-input", daemon=True).start()


class ProgressLines:
    """A listener of a run that prints its progress."""

    def __init__(self) -> None:
        self._told: tuple[str, float] = "", 0.0

    def hear(self, event: RunProgress | GenerationMetrics | MatchResult | RunNotice) -> None:
        """Print a line for the progress of a stage, but not more often than every half second."""
        if not isinstance(event, RunProgress):
            return
        stage, at = self._told
        if event.stage == stage and time.monotonic() - at < EVERY_S:
            return
        self._told = event.stage, time.monotonic()
        line = ProgressLine(event.generation, event.stage, event.done, event.total)
        with suppress(BrokenPipeError):  # the starting program has ended, so this one ends soon
            print(msgspec.json.encode(line).decode(), flush=True)
