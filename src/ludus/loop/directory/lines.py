"""Line formats of a run's files: starts, matches and generations, one JSON line each (`ludus.lines`)."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import msgspec

from ludus import lines
from ludus.errors import BadRecord, Unavailable
from ludus.learner.losses import Losses

T = TypeVar("T")


class RunStart(msgspec.Struct, frozen=True):
    """A start or continuation of a run."""

    generation: int
    """The first incomplete generation."""
    date: str
    ludus: str
    """Version of Ludus."""
    commit: str
    """Git commit of the checkout; empty outside a checkout."""
    processor: str
    python: str
    workers: int
    games: dict[str, str]
    """Fingerprint of the rules, for each game spec."""
    changes: list[str] = []
    """Changed settings of the preset, such as `generations: 20 -> 30`."""


class GameFacts(msgspec.Struct, frozen=True):
    """Statistics of the games on one board."""

    games: int
    positions: int
    mean_length: float
    """Mean number of recorded actions per game."""
    first_wins: float
    """Share of games that player 0 won."""
    draws: float
    """Share of drawn games, including those at the length cap."""
    capped: float
    """Share of games that ended as draws at the length cap."""


class Facts(GameFacts, frozen=True):
    """Statistics of all games of a generation."""

    repeated: float
    """Share of games whose recorded positions all equal those of an earlier game."""
    distinct_openings: float
    """Number of distinct positions a few actions into the games, divided by the number of games of that length."""
    by_game: dict[str, GameFacts] = {}
    """Statistics for each game spec, if the run has several games."""


class Side(msgspec.Struct, frozen=True):
    """Figures of the positions with one player to move."""

    positions: int
    policy_gain: float
    """Improvement of the policy over a uniform one, relative to the search's: 1 equals the search, below 0 is worse."""
    value_agreement: float
    """Correlation of the network's value with the results, both from player 0's view."""
    search_agreement: float
    """Correlation of the search's root value with the results."""
    legal_weight: float
    """Share of the policy targets on legal actions; below 1 only if samples are corrupt."""
    is_taught: bool = True
    """Whether any position has a policy target and several legal actions; otherwise `policy_gain` is meaningless."""
    policy_error: float = 0.0
    """Standard error of `policy_gain`, from the differences between games; 0 in runs of earlier versions."""
    value_error: float = 0.0
    search_error: float = 0.0


class NetworkProbe(msgspec.Struct, frozen=True):
    """Output of a new network on positions of its generation."""

    positions: int
    entropy: float
    """Mean entropy of the network's policy, as a share of the maximum for the legal actions."""
    target_entropy: float
    """Mean entropy of the search's policy, as a share of the maximum."""
    value_std: float
    """Standard deviation of the network's values, from player 0's view."""
    outcome_std: float
    """Standard deviation of the results."""
    sides: list[Side]
    """Figures for player 0 and for player 1 to move."""
    moved: dict[str, float] = {}
    """Relative change of the weights since the last generation, for each part of the network."""


class Alarm(msgspec.Struct, frozen=True):
    """A sign that the run is not learning."""

    kind: str
    """One word, such as `entropy`; docs/how-to/train.md explains each."""
    text: str
    """One sentence: the observation and a remedy."""


class GenerationMetrics(msgspec.Struct, frozen=True):
    """The figures of one complete generation."""

    generation: int
    facts: Facts
    """Statistics of the generation's games."""
    losses: Losses
    probe: NetworkProbe | None
    """Comparison of the new network with the search and the results."""
    selfplay_s: float
    """Duration of self-play in seconds; after an interruption, only the time since then."""
    learner_s: float
    match_s: float
    seconds: float
    """Wall-clock seconds since the last generation ended; less than the sum of the stages in a pipelined run."""
    evaluations: int
    simulations: int
    cache_hits: int
    evaluator_share: float
    """Share of the workers' time spent in the network (in generation 0: in the heuristic)."""
    search_share: float
    fill: float
    """Mean share of the evaluation batches that was filled."""
    played_out: int = 0
    """Games with resigning disabled in which a player would have resigned, since the last interruption."""
    wrongly_resigned: int = 0
    """Games of `played_out` in which resigning would have been a mistake: its player did not lose."""
    alarms: list[Alarm] = []
    elo: float | None = None
    """Elo difference to the anchor, which has 0."""
    elo_error: float | None = None
    playing: int | None = None
    """Generation whose network plays the next generation; None: this one, as always without a gate."""
    weights: str = ""
    """Fingerprint of the network's weights, which `--verify` compares with the model; empty: not recorded."""

    @property
    def wrong_share(self) -> float | None:
        """Return the share of `played_out` games in which resigning would have been wrong."""
        return self.wrongly_resigned / self.played_out if self.played_out else None

    @property
    def plays_next(self) -> int:
        """Return the generation whose network plays the next generation."""
        return self.generation if self.playing is None else self.playing


def append(file: Path, line: msgspec.Struct) -> None:
    """Append a line and flush it to disk.

    Raises:
        Unavailable: writing failed, such as on a full disk; earlier lines are untouched.
    """
    try:
        lines.append(file, line)
    except OSError as error:
        raise Unavailable(
            f"{file}: cannot be written ({error.strerror}); free disk space or fix its permissions, then run the "
            "same command again; finished work is safe."
        ) from error


@contextmanager
def readable(file: Path) -> Generator[None]:
    """Convert an OSError on reading a file of a run to Unavailable."""
    try:
        yield
    except OSError as error:
        raise Unavailable(f"{file}: cannot be read ({error.strerror}); fix its permissions.") from error


def read(file: Path, kind: type[T]) -> list[T]:
    """Return the complete lines of a file, oldest first.

    Raises:
        BadRecord: a line is damaged.
        Unavailable: the file cannot be read.
    """
    with readable(file):
        whole = lines.whole_lines(file) if file.is_file() else []
    found: list[T] = []
    for number, line in enumerate(whole, 1):
        body = lines.unsealed(file, number, line)
        try:
            found.append(msgspec.json.decode(body, type=kind))
        except msgspec.DecodeError as error:
            raise BadRecord(
                f"{file}, line {number}: written by another version of Ludus ({error}); use that version."
            ) from error
    return found
