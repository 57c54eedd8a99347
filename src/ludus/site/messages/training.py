"""Messages about the training run beside a site (`ludus grow`): its progress, its generations, and sample games."""

from typing import Literal

from msgspec import Struct

from ludus.games.board import Board


class TrainedGeneration(Struct, frozen=True, rename="camel"):
    """A finished generation."""

    generation: int
    games: int
    """Number of games of self-play."""
    elo: float | None
    """Elo difference to the fixed opponent; None if no match connects them."""
    elo_error: float | None
    """Half the width of the 95 % interval."""
    policy_loss: float
    outcome_loss: float
    seconds: float
    passed: bool
    """Whether its network passed the gate, and plays since then."""
    alarms: list[str]
    """Signs that the run is not learning, one sentence each."""
    bot: str
    """The bot that plays with this network, `CLIENT:BOT`."""


class TrainingRun(Struct, frozen=True, rename="camel"):
    """A training run, and what it does now."""

    title: str
    """The game's title."""
    level: str
    """The strongest of the bots that play with the run's newest network, `CLIENT:BOT`."""
    state: Literal["starting", "training", "paused", "finished", "failed"]
    note: str
    """Why the run does not train; empty if it does."""
    generation: int
    """The generation in progress."""
    of: int
    """Number of generations of the run."""
    stage: str
    """`self-play`, `learning` or `matches`; empty if unknown."""
    done: int
    """Games, steps or matches of the stage so far."""
    total: int
    remaining_s: float | None
    """Expected seconds to the end of the run; None if unknown."""
    trained_s: float
    """Duration of the finished generations in seconds."""
    playing: int | None
    """The generation that the site's bots play with; None: they play without a network."""
    opponent: str
    """The fixed opponent, whose Elo is 0."""
    generations: list[TrainedGeneration]


class Training(Struct, frozen=True, rename="camel"):
    """The answer to `GET /api/training`."""

    run: TrainingRun | None
    """None: this site grows no run."""
    may_control: bool
    """Whether the visitor may pause the run: on the site's own machine, or with the operator's token."""


class SampleStep(Struct, frozen=True):
    """A position of a sample game."""

    board: Board
    move: str
    """The action that led here; empty at the start of the record."""
    value: float | None
    """The search's value from the view of player 0; None if it is not recorded."""


class SampleGame(Struct, frozen=True):
    """The answer to `GET /api/training/games/{generation}/{number}`: a game of self-play."""

    count: int
    """Number of sample games of this generation."""
    winner: int | None
    """The side that won; None: a draw."""
    reason: str
    """How the game ended, if the rules say more than who won."""
    steps: list[SampleStep]
    """The recorded positions; the random actions at the start of a game are not recorded."""
