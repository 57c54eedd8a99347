"""The settings of self-play, as presets state them."""

import math

import msgspec

from ludus.selfplay.games import Schedule


class SelfplaySettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How games are played to make data."""

    games: int = 1000
    """Games of a generation (shared evenly among the preset's `games`)."""
    first_games: int = 0
    """Games of generation 0, which plays by the game's heuristic or at random (0: as `games`)."""
    parallel: int = 64
    """Games that each worker plays side by side: the rows of its batches."""
    visits: int = 100
    """Visits of a full search; only these teach the policy."""
    fast_visits: int = 20
    """Visits of a fast search (KataGo's randomised search caps)."""
    full_share: float = 0.3
    """Share of moves that are searched fully (KataGo: 0.25); 1.0 searches every move fully."""
    temperature: float = 1.0
    """Of the choice by visits, at the start of a game."""
    final_temperature: float = 0.2
    """Of the choice by visits, late in a game."""
    halflife: float = 12.0
    """Actions in which the temperature above the final one is halved."""
    random_actions: int = 4
    """Most uniformly random actions before a game; the number is drawn anew for each game."""

    def __post_init__(self) -> None:
        """Refuse numbers that no game can be played with."""
        if self.games < 1 or self.first_games < 0 or self.parallel < 1 or self.random_actions < 0:
            raise ValueError("games and parallel must be 1 or more, first_games and random_actions 0 or more")
        if self.visits < 2 or self.fast_visits < 2:
            raise ValueError("visits and fast_visits must be 2 or more: a choice needs a visit below the root")
        if not 0.0 <= self.full_share <= 1.0:
            raise ValueError("full_share must be between 0 and 1")
        if not (0.0 <= self.temperature < math.inf and 0.0 <= self.final_temperature < math.inf):
            raise ValueError("temperature and final_temperature must be 0 or more")
        if not self.halflife > 0.0:
            raise ValueError("halflife must be above 0")

    @property
    def schedule(self) -> Schedule:
        """Return the part that compiled code takes."""
        return Schedule(
            self.visits,
            min(self.fast_visits, self.visits),
            float(self.full_share),
            float(self.temperature),
            float(self.final_temperature),
            float(self.halflife),
        )
