"""What the stages of a run share: preset, directory, games, orders of games to play, and who hears of progress."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cached_property

import msgspec

from ludus.arena.summary import MatchResult
from ludus.games.behaviour import behaviour
from ludus.games.game import Game
from ludus.loop.directory.folder import Folder
from ludus.loop.directory.lines import GenerationMetrics
from ludus.loop.preset import Preset
from ludus.selfplay.openings import Openings
from ludus.selfplay.reading import Reading


class RunProgress(msgspec.Struct, frozen=True):
    """Where the run is, several times a second."""

    generation: int
    stage: str
    """`self-play`, `learning` or `matches`."""
    done: int
    total: int
    reading: Reading | None = None
    """How self-play has run since the last one."""


class RunNotice(msgspec.Struct, frozen=True):
    """Something that happened to the run and does not end it."""

    text: str
    """One sentence for a person."""


Listener = Callable[[RunProgress | GenerationMetrics | MatchResult | RunNotice], object]


class Stopped(Exception):
    """Self-play that runs beside the learner was asked to end."""


class Order(msgspec.Struct, frozen=True):
    """Games to play, numbered from 0."""

    generation: int
    games: int
    """How many the generation has."""
    done: list[int]
    """The numbers of those that are not to be played: they are finished already, or others play them."""
    seed: int


class Stage:
    """The run, as its stages see it."""

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
        """Take what a run is made of; `read_openings` is called when openings are first needed."""
        self.preset, self.folder, self.games, self.workers = preset, folder, games, workers
        self.rules = behaviour(games[0])
        """Fingerprint of what the rules do, in every file with states."""
        self.stop = threading.Event()
        """Set to end self-play that runs in another thread."""
        self._listener, self._read_openings = listener, read_openings

    @cached_property
    def openings(self) -> Openings | None:
        """The positions of recorded games at which games may begin; None: the preset names none.

        Raises:
            BadInput: there is no such file, it holds other games, or none of them can be used.
            BadRecord: one is damaged.
        """
        return self._read_openings()

    def tell(self, generation: int, stage: str, done: int, total: int, reading: Reading | None = None) -> None:
        """Say how far a stage is."""
        self._listener(RunProgress(generation, stage, done, total, reading))

    def hear(self, event: MatchResult | RunNotice) -> None:
        """Tell the listener of a match, or of something that happened."""
        self._listener(event)

    def progress(self, generation: int) -> float:
        """Return how far a generation is through the run, 0 to 1."""
        return self.preset.progress(generation)

    def seed(self, generation: int) -> int:
        """Return the seed of a generation."""
        return self.preset.seed * 10_000 + generation
