"""The settings of self-play, as presets state them."""

from typing import Annotated

import msgspec

from ludus.config import AtLeastOne, AtLeastZero, NotNegative, Positive, Settings, Share
from ludus.search.settings import MAX_VISITS


class SelfplaySettings(Settings, frozen=True):
    """How games are played to make data."""

    games: AtLeastOne = 1000
    """Games of a generation (shared evenly among the preset's `games`)."""
    first_games: AtLeastZero = 0
    """Games of generation 0, which the `start` or the first teacher plays (0: as `games`)."""
    parallel: AtLeastOne = 64
    """Games of each group, which a worker plays side by side: the rows of a batch."""
    groups: Annotated[int, msgspec.Meta(ge=1, le=4)] = 1
    """Groups of games of each worker that take turns; with 2, one searches while the other's batch is on the GPU."""
    visits: Annotated[int, msgspec.Meta(ge=2, le=MAX_VISITS)] = 100
    """Visits of a full search; only these teach the policy."""
    first_visits: Annotated[int, msgspec.Meta(ge=0, le=MAX_VISITS)] = 0
    """Visits of a full search in the first generation, from which they grow to `visits` (0: no growth)."""
    teacher_visits: Annotated[int, msgspec.Meta(ge=0, le=MAX_VISITS)] = 0
    """Visits of a full search of the first teacher, which may be much cheaper to ask than a network (0: as later)."""
    fast_visits: Annotated[int, msgspec.Meta(ge=2, le=MAX_VISITS)] = 20
    """Visits of a fast search (KataGo's randomised search caps)."""
    full_share: Share = 0.3
    """Share of moves that are searched fully (KataGo: 0.25); 1.0 searches every move fully."""
    reuse: bool = True
    """Whether a full search goes on with the subtree of the last move, whose visits were made without noise."""
    temperature: NotNegative = 1.0
    """Of the choice by visits, at the start of a game."""
    final_temperature: NotNegative = 0.2
    """Of the choice by visits, late in a game."""
    halflife: Positive = 12.0
    """Actions in which the temperature above the final one is halved."""
    random_actions: AtLeastZero = 4
    """Most uniformly random actions before a game; the number is drawn anew for each game."""
    fork_share: NotNegative = 0.0
    """Share of games that begin at another action of their batch's last whole game of that board (KataGo: 0.04)."""
    opening_share: NotNegative = 0.0
    """Share of games that begin at a position of the games that the preset's `openings_from` names."""
    resign_below: Annotated[float, msgspec.Meta(ge=-1.0, le=1.0)] = -0.95
    """Value for the mover, in [-1, 1], below which a position is hopeless."""
    resign_moves: AtLeastZero = 0
    """A player resigns after so many hopeless moves in a row; 0 = never."""
    played_out_share: Share = 0.1
    """Share of games in which nobody resigns: they measure how many would have been resigned wrongly."""
    accelerated_visits: Annotated[int, msgspec.Meta(ge=0, le=MAX_VISITS)] = 0
    """In place of resigning, a game goes on with so many visits a move, so that its end is known; 0 = no.  Positions of
    this haste teach no policy."""
    accelerated_weight: Share = 0.1
    """How often positions of this haste are drawn, where 1 is usual (KataGo: 0.1, of its most decided ones); at 0, what
    `moves_left` counts ends where the game was given up."""

    def __post_init__(self) -> None:
        """Refuse numbers that no game can be played with."""
        super().__post_init__()
        if 1 in (self.first_visits, self.teacher_visits, self.accelerated_visits):
            raise ValueError(
                "first_visits, teacher_visits and accelerated_visits must be 2 or more where they are not 0: a choice "
                "needs one below the root"
            )
        if self.fork_share + self.opening_share > 1.0:
            raise ValueError("fork_share and opening_share must be at most 1 together")
        if self.fork_share > 0.0 and self.fork_share + self.opening_share >= 1.0:
            raise ValueError("fork_share must leave games to fork: with opening_share, it must be below 1")
        if self.accelerated_visits and not self.resign_moves:
            raise ValueError("accelerated_visits take the place of resigning: set resign_moves, or leave them out")

    def of_teacher(self) -> "SelfplaySettings":
        """Return the settings by which the first teacher plays."""
        if not self.teacher_visits:
            return self
        return msgspec.structs.replace(self, visits=self.teacher_visits, first_visits=0)

    def num_games(self, generation: int) -> int:
        """Return how many games a generation plays."""
        return self.first_games if generation == 0 and self.first_games else self.games

    def mean_visits(self, progress: float) -> float:
        """Return the mean visits of a move, `progress` (0 to 1) through the run."""
        now = self.at(progress)
        return now.full_share * now.visits + (1.0 - now.full_share) * now.fast_visits

    def at(self, progress: float) -> "SelfplaySettings":
        """Return the settings as they are `progress` (0 to 1) through the run, where the visits of a search grow."""
        visits = self.visits
        if self.first_visits:
            visits = max(2, round(self.first_visits * (self.visits / self.first_visits) ** progress))
        return msgspec.structs.replace(self, visits=visits, fast_visits=min(self.fast_visits, visits))
