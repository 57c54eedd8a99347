"""The crosstable contains each score from both players' views."""

import msgspec

from ludus.arena.crosstable import Crosstable, crosstable
from ludus.rating import MatchScore

RESULTS = [
    MatchScore("gen-2", "gen-1", wins=6, draws=2, losses=2),
    MatchScore("gen-1", "gen-2", wins=0, draws=0, losses=10),
    MatchScore("gen-1", "random", wins=9, draws=0, losses=1),
    MatchScore("gen-1", "nobody", wins=0, draws=0, losses=0),
]


def test_scores_add_up_over_matches_and_face_each_other():
    table = crosstable(RESULTS, anchor="random")
    assert [rating.name for rating in table.ratings] == ["gen-2", "gen-1", "random"]
    assert table.scores == [[None, 0.85, None], [0.15, None, 0.9], [None, 0.1, None]]


def test_rows_contain_formatted_figures():
    rows = crosstable(RESULTS, anchor="random").rows()
    assert rows[2] == ["3", "random", "+0", "±0", "10", "10%", "", "10%", ""]
    assert rows[0][:2] == ["1", "gen-2"]


def test_a_crosstable_survives_json():
    table = crosstable(RESULTS, anchor="random")
    assert msgspec.json.decode(msgspec.json.encode(table), type=Crosstable) == table
