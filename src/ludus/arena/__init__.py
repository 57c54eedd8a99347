"""Where players meet: fair matches of many games at once, and the table of who did what to whom."""

from ludus.arena.balance import Balance
from ludus.arena.crosstable import Crosstable, crosstable
from ludus.arena.match import MatchGame, MatchResult, Player, play_match
from ludus.arena.record import MatchPlan, Record, read_record, record_of
from ludus.arena.results import read_results

__all__ = [
    "Balance",
    "Crosstable",
    "MatchGame",
    "MatchPlan",
    "MatchResult",
    "Player",
    "Record",
    "crosstable",
    "play_match",
    "read_record",
    "read_results",
    "record_of",
]
