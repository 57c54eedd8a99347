"""Self-play settings, as presets specify them."""

from typing import Annotated

import msgspec

from ludus.config import AtLeastOne, AtLeastZero, NotNegative, Positive, Settings, Share
from ludus.search.settings import MAX_VISITS


class SelfplaySettings(Settings, frozen=True):
    """Settings for games that generate training data."""

    games: AtLeastOne = 1000
    """Number of games in a generation, shared evenly among the preset's `games`."""
    first_games: AtLeastZero = 0
    """Number of games in generation 0, which the `start` model or the first teacher plays (0: as `games`)."""
    parallel: AtLeastOne = 64
    """Number of games in a group, which a worker plays side by side: the rows of a batch."""
    groups: Annotated[int, msgspec.Meta(ge=1, le=4)] = 1
    """Number of groups of each worker, which alternate; with 2, one searches while the other's batch is on the GPU."""
    visits: Annotated[int, msgspec.Meta(ge=2, le=MAX_VISITS)] = 100
    """Visits of a full search; only full searches produce policy targets."""
    first_visits: Annotated[int, msgspec.Meta(ge=0, le=MAX_VISITS)] = 0
    """Visits of a full search in the first generation, which grow to `visits` (0: no growth)."""
    teacher_visits: Annotated[int, msgspec.Meta(ge=0, le=MAX_VISITS)] = 0
    """Visits of a full search by the first teacher, which may be much cheaper than a network (0: as `visits`)."""
    fast_visits: Annotated[int, msgspec.Meta(ge=2, le=MAX_VISITS)] = 20
    """Visits of a fast search (KataGo's playout cap randomization)."""
    full_share: Share = 0.3
    """Share of moves with a full search (KataGo: 0.25); 1.0 makes every search a full one."""
    reuse: bool = True
    """Whether a full search reuses the subtree of the last move, which was searched without noise."""
    temperature: NotNegative = 1.0
    """Temperature for choosing by visits at the start of a game."""
    final_temperature: NotNegative = 0.2
    """Temperature for choosing by visits late in a game."""
    halflife: Positive = 12.0
    """Number of actions after which the temperature's excess over `final_temperature` has halved."""
    random_actions: AtLeastZero = 4
    """Maximum number of uniformly random actions at the start of a game; the number is sampled for each game."""
    fork_share: NotNegative = 0.0
    """Share of games that fork from their board's last regular game with another action (KataGo: 0.04)."""
    opening_share: NotNegative = 0.0
    """Share of games that begin at a position from the games in the preset's `openings_from`."""
    resign_below: Annotated[float, msgspec.Meta(ge=-1.0, le=1.0)] = -0.95
    """Value for the mover, in [-1, 1], below which a position counts as hopeless."""
    resign_moves: AtLeastZero = 0
    """Number of consecutive hopeless moves after which a player resigns; 0 = never."""
    played_out_share: Share = 0.1
    """Share of games without resigning, which measure how many games would be resigned wrongly."""
    accelerated_visits: Annotated[int, msgspec.Meta(ge=0, le=MAX_VISITS)] = 0
    """Visits of each search after a player would have resigned, which replaces resigning and yields the game's true
    outcome; 0 = off.  These accelerated positions are not used as policy targets."""
    accelerated_weight: Share = 0.1
    """Sampling weight of accelerated positions, where 1 is normal (KataGo: 0.1, of its most decided ones); at 0,
    `moves_left` counts only up to the point where the player would have resigned."""

    def __post_init__(self) -> None:
        """Reject values that no game can be played with."""
        super().__post_init__()
        if 1 in (self.first_visits, self.teacher_visits, self.accelerated_visits):
            raise ValueError(
                "first_visits, teacher_visits and accelerated_visits must be 0, or at least 2: a choice "
                "needs one visit below the root"
            )
        if self.fork_share + self.opening_share > 1.0:
            raise ValueError("fork_share and opening_share must be at most 1 together")
        if self.fork_share > 0.0 and self.fork_share + self.opening_share >= 1.0:
            raise ValueError("fork_share must leave games to fork from: with opening_share, it must be below 1")
        if self.accelerated_visits and not self.resign_moves:
            raise ValueError("accelerated_visits replaces resigning: set resign_moves, or leave accelerated_visits out")

    def of_teacher(self) -> "SelfplaySettings":
        """Return the settings for games of the first teacher."""
        if not self.teacher_visits:
            return self
        return msgspec.structs.replace(self, visits=self.teacher_visits, first_visits=0)

    def num_games(self, generation: int) -> int:
        """Return the number of games in a generation."""
        return self.first_games if generation == 0 and self.first_games else self.games

    def mean_visits(self, progress: float) -> float:
        """Return the mean visits of a move at `progress` (0 to 1) of the run."""
        now = self.at(progress)
        return now.full_share * now.visits + (1.0 - now.full_share) * now.fast_visits

    def at(self, progress: float) -> "SelfplaySettings":
        """Return the settings at `progress` (0 to 1) of the run, as the visits of a search grow."""
        visits = self.visits
        if self.first_visits:
            visits = max(2, round(self.first_visits * (self.visits / self.first_visits) ** progress))
        return msgspec.structs.replace(self, visits=visits, fast_visits=min(self.fast_visits, visits))
