"""The settings of self-play, as presets state them."""

import math
from typing import NamedTuple

import msgspec

from ludus.search.settings import MAX_VISITS


class Schedule(NamedTuple):
    """The fields of `SelfplaySettings` that compiled code takes, at one moment of a run."""

    visits: int
    fast_visits: int
    full_share: float
    reuse: int
    temperature: float
    final_temperature: float
    halflife: float
    resign_below: float
    resign_moves: int
    played_out_share: float
    accelerated_visits: int
    accelerated_weight: float


class SelfplaySettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How games are played to make data."""

    games: int = 1000
    """Games of a generation (shared evenly among the preset's `games`)."""
    first_games: int = 0
    """Games of generation 0, which the `start` or the first teacher plays (0: as `games`)."""
    parallel: int = 64
    """Games of each group, which a worker plays side by side: the rows of a batch."""
    groups: int = 1
    """Groups of games of each worker that take turns; with 2, one searches while the other's batch is on the GPU."""
    visits: int = 100
    """Visits of a full search; only these teach the policy."""
    first_visits: int = 0
    """Visits of a full search in the first generation, from which they grow to `visits` (0: no growth)."""
    teacher_visits: int = 0
    """Visits of a full search of the first teacher, which may be much cheaper to ask than a network (0: as later)."""
    fast_visits: int = 20
    """Visits of a fast search (KataGo's randomised search caps)."""
    full_share: float = 0.3
    """Share of moves that are searched fully (KataGo: 0.25); 1.0 searches every move fully."""
    reuse: bool = True
    """Whether a full search goes on with the subtree of the last move, whose visits were made without noise."""
    temperature: float = 1.0
    """Of the choice by visits, at the start of a game."""
    final_temperature: float = 0.2
    """Of the choice by visits, late in a game."""
    halflife: float = 12.0
    """Actions in which the temperature above the final one is halved."""
    random_actions: int = 4
    """Most uniformly random actions before a game; the number is drawn anew for each game."""
    fork_share: float = 0.0
    """Share of games that begin at another action of their batch's last whole game of that board (KataGo: 0.04)."""
    opening_share: float = 0.0
    """Share of games that begin at a position of the games that the preset's `openings_from` names."""
    resign_below: float = -0.95
    """Value for the mover, in [-1, 1], below which a position is hopeless."""
    resign_moves: int = 0
    """A player resigns after so many hopeless moves in a row; 0 = never."""
    played_out_share: float = 0.1
    """Share of games in which nobody resigns: they measure how many would have been resigned wrongly."""
    accelerated_visits: int = 0
    """In place of resigning, a game goes on with so many visits a move, so that its end is known; 0 = no.  Positions of
    this haste teach no policy."""
    accelerated_weight: float = 0.1
    """How often positions of this haste are drawn, where 1 is usual (KataGo: 0.1, of its most decided ones); at 0, what
    `moves_left` counts ends where the game was given up."""

    def __post_init__(self) -> None:
        """Refuse numbers that no game can be played with."""
        if self.games < 1 or self.first_games < 0 or self.parallel < 1 or self.random_actions < 0:
            raise ValueError("games and parallel must be 1 or more, first_games and random_actions 0 or more")
        optional = {self.first_visits, self.teacher_visits, self.accelerated_visits}
        if min(self.visits, self.fast_visits) < 2 or min(optional) < 0 or 1 in optional:
            raise ValueError(
                "visits and fast_visits must be 2 or more, and so must first_visits, teacher_visits and "
                "accelerated_visits where they are not 0: a choice needs one below the root"
            )
        if max(self.visits, self.fast_visits, *optional) > MAX_VISITS:
            raise ValueError(f"visits of any kind must be at most {MAX_VISITS}")
        if not all(0.0 <= share <= 1.0 for share in (self.full_share, self.played_out_share, self.accelerated_weight)):
            raise ValueError("full_share, played_out_share and accelerated_weight must be between 0 and 1")
        if min(self.fork_share, self.opening_share) < 0.0 or not self.fork_share + self.opening_share <= 1.0:
            raise ValueError("fork_share and opening_share must be 0 or more, and at most 1 together")
        if self.fork_share > 0.0 and self.fork_share + self.opening_share >= 1.0:
            raise ValueError("fork_share must leave games to fork: with opening_share, it must be below 1")
        if not 1 <= self.groups <= 4:  # more would wait for one another
            raise ValueError("groups must be between 1 and 4")
        if not (-1.0 <= self.resign_below <= 1.0 and self.resign_moves >= 0):
            raise ValueError("resign_below must be between -1 and 1, and resign_moves 0 or more")
        if not (0.0 <= self.temperature < math.inf and 0.0 <= self.final_temperature < math.inf):
            raise ValueError("temperature and final_temperature must be 0 or more")
        if self.accelerated_visits and not self.resign_moves:
            raise ValueError("accelerated_visits take the place of resigning: set resign_moves, or leave them out")
        if not self.halflife > 0.0:
            raise ValueError("halflife must be above 0")

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
        schedule = self.schedule(progress)
        return schedule.full_share * schedule.visits + (1.0 - schedule.full_share) * schedule.fast_visits

    def schedule(self, progress: float = 1.0) -> Schedule:
        """Return the part that compiled code takes, `progress` (0 to 1) through the run."""
        visits = self.visits
        if self.first_visits:
            visits = max(2, round(self.first_visits * (self.visits / self.first_visits) ** progress))
        fields = {**msgspec.structs.asdict(self), "visits": visits, "fast_visits": min(self.fast_visits, visits)}
        return Schedule(**{name: kind(fields[name]) for name, kind in Schedule.__annotations__.items()})
