"""The records of a run: what each start, match and generation was, one line each (`ludus.lines`)."""

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
    """How a run was begun or continued."""

    generation: int
    """The first that is not complete."""
    date: str
    ludus: str
    """Version of Ludus."""
    commit: str
    """Of the checkout, where it is one."""
    processor: str
    python: str
    workers: int
    games: dict[str, str]
    """Spec -> fingerprint of what its rules do."""
    changes: list[str] = []
    """Settings of the preset that are others from here on: `generations: 20 -> 30`."""


class GameFacts(msgspec.Struct, frozen=True):
    """Of the games on one board."""

    games: int
    positions: int
    mean_length: float
    """Recorded actions of a game."""
    first_wins: float
    """Share of the games that player 0 won."""
    draws: float
    """Share of the games, those at the length cap included."""
    capped: float
    """Share of the games that ended as draws at the length cap."""


class Facts(GameFacts, frozen=True):
    """Of all games of a generation."""

    repeated: float
    """Share of the games that are, from the first recorded position to the last, the same as an earlier one."""
    distinct_openings: float
    """Different positions a few actions into the games, over the number of games that came so far."""
    by_game: dict[str, GameFacts] = {}
    """The same for each spec, where the run has several."""


class Side(msgspec.Struct, frozen=True):
    """Of the positions in which one player is the mover."""

    positions: int
    policy_gain: float
    """How much nearer the network's policy is to the search's than a uniform guess: 1 all the way, below 0 farther."""
    value_agreement: float
    """Correlation of the network's value with the results, both seen by player 0."""
    search_agreement: float
    """The same of the search's value at the root."""
    legal_weight: float
    """Share of the policy targets that lies on legal actions: 1 unless the samples are corrupt."""
    is_taught: bool = True
    """Whether any of them has a policy target, with something to choose; if not, the policy gain says nothing."""


class NetworkProbe(msgspec.Struct, frozen=True):
    """What a network says of some positions of its generation."""

    positions: int
    entropy: float
    """Mean entropy of its policy over the legal actions, as a share of the greatest possible one."""
    target_entropy: float
    """The same of the search's policy."""
    value_std: float
    """Spread of its values, seen by player 0."""
    outcome_std: float
    """Spread of the results."""
    sides: list[Side]
    """With player 0 and with player 1 as the mover."""
    moved: dict[str, float] = {}
    """Part of the network -> how far its weights moved since the last generation, relative to their size."""


class Alarm(msgspec.Struct, frozen=True):
    """Something that keeps a run from learning."""

    kind: str
    """One word for programs, such as `entropy`; docs/how-to/train.md explains each."""
    text: str
    """One sentence: what is seen, and what to try."""


class GenerationMetrics(msgspec.Struct, frozen=True):
    """What a generation did."""

    generation: int
    facts: Facts
    """Of the games."""
    losses: Losses
    probe: NetworkProbe | None
    """What the new network says of the games beside what the search and the result said."""
    selfplay_s: float
    """Seconds; of an interrupted generation only those since it was continued."""
    learner_s: float
    match_s: float
    seconds: float
    """By the clock, since the generation before ended: in a pipelined run less than the others together."""
    evaluations: int
    simulations: int
    cache_hits: int
    evaluator_share: float
    """Of the workers' time: in the network (generation 0: in the heuristic)."""
    search_share: float
    fill: float
    """Leaves in the batches over what they could have held."""
    played_out: int = 0
    """Games in which nobody might resign, and somebody would have; of an interrupted generation as the seconds."""
    wrongly_resigned: int = 0
    """Of those, the games that the player who would have resigned did not lose."""
    alarms: list[Alarm] = []
    elo: float | None = None
    """Against the anchor, 0."""
    elo_error: float | None = None
    playing: int | None = None
    """The generation whose network plays the next one's games; None: this one, as without a gate."""
    weights: str = ""
    """Fingerprint of the network's numbers, by which `--verify` knows a damaged model; empty: nobody has noted it."""

    @property
    def wrong_share(self) -> float | None:
        """Return in which share of the games that were played out resigning would have been wrong."""
        return self.wrongly_resigned / self.played_out if self.played_out else None


def append(file: Path, line: msgspec.Struct) -> None:
    """Add a line, which is on the disk when this returns.

    Raises:
        Unavailable: the disk is full, or the like; the lines before are untouched.
    """
    try:
        lines.append(file, line)
    except OSError as error:
        raise Unavailable(
            f"{file}: cannot be written ({error.strerror}); make room or mend its permissions, then run the same "
            "command again: what the run has finished is safe."
        ) from error


@contextmanager
def readable(file: Path) -> Generator[None]:
    """Say in a sentence that a file of a run cannot be read: raises Unavailable where reading raises OSError."""
    try:
        yield
    except OSError as error:
        raise Unavailable(f"{file}: cannot be read ({error.strerror}); mend its permissions.") from error


def read(file: Path, kind: type[T]) -> list[T]:
    """Return the whole lines of a record, oldest first.

    Raises:
        BadRecord: a line is damaged.
        Unavailable: the disk refuses.
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
                f"{file}, line {number}: is not of this version ({error}); go back to the one that wrote it."
            ) from error
    return found
