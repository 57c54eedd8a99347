"""Trains a run in a child process beside a site: starts, pauses and resumes it, and tells its progress."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import msgspec

from ludus.bot.config import variables_without_secrets
from ludus.bot.ending import end
from ludus.bot.levels import CLIENT_ID, generation_bot
from ludus.cli.terminal.screen import last_sentence
from ludus.cli.training.background import PATIENCE_S, ProgressLine
from ludus.errors import LudusError
from ludus.files import make_folder
from ludus.loop.directory.folder import Folder
from ludus.loop.directory.lines import GenerationMetrics
from ludus.loop.preset import Preset
from ludus.report.training import described, sample_game
from ludus.site.messages.training import SampleGame, TrainingRun
from ludus.system import apart
from ludus.trust import COMMAND

LOOK_S = 1.0
"""Interval between two looks at the run's directory."""
LOG = "train.log"


class Growth:
    """A run that is trained by a child process; the page shows it (`Grown` of the site's routes)."""

    def __init__(
        self, preset: Preset, file: Path, folder: Folder, level: str, hours: float, news: Callable[[str], object]
    ) -> None:
        """Prepare the training of a run; `run_until_cancelled` starts it.

        Args:
            preset: the run's settings.
            file: their file.
            folder: the run's directory.
            level: the strongest bot that plays with the newest network, `CLIENT:BOT`.
            hours: limit of the run's training time, over all starts (0: none).
            news: called with a sentence for the terminal when training begins, ends or fails.
        """
        self.preset, self.folder = preset, folder
        self.lines: list[GenerationMetrics] | None = None
        """The finished generations; None until they are read."""
        self.listeners: list[Callable[[], object]] = []
        """Functions that are called when `lines` have changed."""
        self._file, self._level, self._hours, self._news = file, level, hours, news
        self._wanted = asyncio.Event()
        self._wanted.set()
        self._shown = described(preset, [], level, self._bot_of)
        self._state: tuple[str, str] = ("starting", "")
        self._progress: ProgressLine | None = None
        self._since = time.monotonic()  # of the generation in progress
        self._pausing = asyncio.Event()

    # ---- for the page ------------------------------------------------------------------------------------------------

    def run(self) -> TrainingRun:
        """Return the run's progress."""
        state, note = self._state
        shown = msgspec.structs.replace(self._shown, state=state, note=note)
        if state != "training":
            return shown
        if progress := self._progress:
            shown = msgspec.structs.replace(
                shown, stage=progress.stage, done=progress.done, total=progress.total, generation=progress.generation
            )
        if shown.remaining_s is None:
            return shown
        left = max(0.0, shown.remaining_s - (time.monotonic() - self._since))
        if self._hours:
            left = min(left, self._budget_s)
        return msgspec.structs.replace(shown, remaining_s=left)

    def sample(self, generation: int, number: int) -> SampleGame:
        """Return a sample game of a finished generation."""
        return sample_game(self.folder, self.preset, generation, number)

    def pause(self) -> None:
        """End the child process; finished games and generations stay."""
        if self._state[0] in ("starting", "training"):
            self._wanted.clear()
            self._pausing.set()
            self._state = "paused", ""

    def resume(self) -> None:
        """Train on after a pause, an error, or an end that was put off by changed settings."""
        self._state = "starting", ""
        self._pausing.clear()
        self._wanted.set()

    # ---- the child process -------------------------------------------------------------------------------------------

    def _bot_of(self, generation: int) -> str:
        return f"{CLIENT_ID}:{generation_bot(self.folder.path, generation)}"

    @property
    def _budget_s(self) -> float:
        """Seconds of training that the run may still take."""
        return max(0.0, 3600.0 * self._hours - self._shown.trained_s)

    async def run_until_cancelled(self) -> None:
        """Train whenever nobody has paused the run, and look for finished generations."""
        await self._look()
        training = asyncio.create_task(self._train())
        try:
            while not training.done():
                await asyncio.wait({training}, timeout=LOOK_S)
                await self._look()
            await training
        finally:
            training.cancel()
            await asyncio.gather(training, return_exceptions=True)

    async def _look(self) -> None:
        try:
            lines = await asyncio.to_thread(self.folder.metrics)
        except LudusError as error:
            self._state = "failed", str(error)
            return
        if self.lines is None or len(lines) != len(self.lines):
            self.lines = lines
            self._shown = described(self.preset, lines, self._level, self._bot_of)
            self._since = time.monotonic()
            for hear in self.listeners:
                hear()

    async def _train(self) -> None:
        while True:
            await self._wanted.wait()
            if self._hours and not self._budget_s:
                self._rest("finished", self._used_up)
                continue
            try:
                ended = await self._train_once()
            except OSError as error:
                self._rest("failed", f"{self.folder.path}: {error.strerror}; free disk space or fix its permissions.")
                continue
            await self._look()
            if ended is None:
                continue
            status, last = ended
            most = self.preset.generations
            if status:
                self._rest("failed", last or f"Training ended with exit status {status}.")
            elif len(self.lines or ()) >= most:
                self._rest("finished", f"All {most} generations are trained; a larger `generations` continues.")
            else:  # the child's clock also counts its start
                self._rest("finished", self._used_up)

    @property
    def _used_up(self) -> str:
        return f"The time of {self._hours:g} hours is used up; a larger --hours continues."

    def _rest(self, state: str, note: str) -> None:
        self._state = state, note
        self._wanted.clear()
        self._news(note)

    async def _train_once(self) -> tuple[int, str] | None:
        """Run the child until it ends; return its exit status and the last line of its log, or None after a pause."""
        make_folder(self.folder.path)
        while self.folder.is_training():  # such as the child of a command that was killed a moment ago
            self._state = "starting", "Another process trains in this directory; this one waits for its end."
            await asyncio.sleep(LOOK_S)
            if self._pausing.is_set():
                return None
        log = self.folder.path / LOG
        with log.open("ab") as lines:
            begun = lines.tell()
            child = await asyncio.create_subprocess_exec(
                *(*COMMAND, "train", str(self._file), "--run", str(self.folder.path)),
                *("--background", "--minutes", f"{self._budget_s / 60.0 if self._hours else 0.0:g}"),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=lines,
                env=variables_without_secrets(),
                **apart(),  # its priority counts for its session; and Ctrl-C goes to the site alone
            )
        assert child.stdin, "opened as a pipe"
        assert child.stdout, "opened as a pipe"
        pausing = asyncio.create_task(self._pausing.wait())
        hearing = asyncio.create_task(self._hear(child.stdout))
        paused = False
        try:
            await asyncio.wait({pausing, hearing}, return_when=asyncio.FIRST_COMPLETED)
            paused = pausing.done()
        finally:
            pausing.cancel()
            hearing.cancel()
            child.stdin.close()  # the child ends with its input
            await end(child, PATIENCE_S + 5.0)
            self._progress = None
        if paused:
            return None
        return child.returncode or 0, await asyncio.to_thread(_last_line, log, begun)

    async def _hear(self, output: asyncio.StreamReader) -> None:
        while line := await output.readline():
            with suppress(msgspec.DecodeError):  # what a game's file prints
                self._progress = msgspec.json.decode(line, type=ProgressLine)
            if self._state[0] == "starting":
                self._state = "training", ""


def _last_line(log: Path, begun: int) -> str:
    """Return the last line, without the program's name, that was written to a log since it had `begun` bytes."""
    with log.open("rb") as file:
        file.seek(begun)
        return last_sentence(file.read().decode(errors="replace"))
