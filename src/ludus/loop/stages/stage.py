"""The context that all stages of a run share: preset, directory, games and listener."""

from __future__ import annotations

import threading
from collections.abc import Callable

import msgspec

from ludus.arena.summary import MatchResult
from ludus.games.behaviour import behaviour
from ludus.games.game import Game
from ludus.lazy import lazy_property
from ludus.loop.directory.folder import Folder
from ludus.loop.directory.lines import GenerationMetrics
from ludus.loop.preset import Preset
from ludus.selfplay.openings import Openings
from ludus.selfplay.reading import Reading


class RunProgress(msgspec.Struct, frozen=True):
    """Progress of a run, reported several times a second."""

    generation: int
    stage: str
    """`self-play`, `learning` or `matches`."""
    done: int
    total: int
    reading: Reading | None = None
    """Speed of self-play since the last report."""


class RunNotice(msgspec.Struct, frozen=True):
    """An event that does not end the run, such as a lost machine."""

    text: str
    """One sentence for the user."""


Listener = Callable[[RunProgress | GenerationMetrics | MatchResult | RunNotice], object]


class Stopped(Exception):
    """Raised in the self-play thread when it is asked to stop."""


class Order(msgspec.Struct, frozen=True):
    """An order of self-play games, numbered from 0."""

    generation: int
    games: int
    """Number of games of the whole generation."""
    done: list[int]
    """Numbers of games to leave out: they are finished, or another member plays them."""
    seed: int


class Stage:
    """The context of a run that its stages share."""

    def __init__(
        self,
        preset: Preset,
        folder: Folder,
        games: list[Game],
        workers: int,
        listener: Listener,
        *,
        read_openings: Callable[[], Openings | None] = lambda: None,
    ) -> None:
        """Store the parts of a run; `read_openings` is called when openings are first needed."""
        self.preset, self.folder, self.games, self.workers = preset, folder, games, workers
        self.rules = behaviour(games[0])
        """Fingerprint of the game's rules, stored in every file with states."""
        self.stop = threading.Event()
        """Set this to stop self-play in another thread."""
        self._listener, self._read_openings = listener, read_openings

    @lazy_property
    def openings(self) -> Openings | None:
        """Return positions of recorded games from which games may start; None: the preset names none.

        Raises:
            BadInput: a file is missing, holds other games, or no game in it can be used.
            BadRecord: a file is damaged.
        """
        return self._read_openings()

    def tell(self, generation: int, stage: str, done: int, total: int, reading: Reading | None = None) -> None:
        """Report the progress of a stage to the listener."""
        self._listener(RunProgress(generation, stage, done, total, reading))

    def hear(self, event: MatchResult | RunNotice) -> None:
        """Pass a match result or a notice to the listener."""
        self._listener(event)

    def progress(self, generation: int) -> float:
        """Return the position of a generation in the run: 0 for the first one, 1 for the last."""
        return self.preset.progress(generation)

    def seed(self, generation: int) -> int:
        """Return the seed of a generation."""
        return self.preset.seed * 10_000 + generation
