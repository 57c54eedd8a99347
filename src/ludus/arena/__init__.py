"""Where players meet: fair matches of many games at once, and the table of who did what to whom."""

from ludus.arena.crosstable import Crosstable, crosstable
from ludus.arena.match import MatchGame, MatchResult, Player, play_match

__all__ = ["Crosstable", "MatchGame", "MatchResult", "Player", "crosstable", "play_match"]
