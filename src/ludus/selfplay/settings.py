"""The settings of self-play, as presets state them."""

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
