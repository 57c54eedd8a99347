"""Players that share a name get distinct names, in any order; each player has one name."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludus.arena.names import distinct_names, run_names

OLD, NEW = "98339f012e9480ef/11112222", "d910199ddf0d8472/11112222"


def test_a_name_that_one_player_bears_stays_as_it_is():
    players = [("tiny-g3@100", OLD), ("random", ""), ("tiny-g3@100", OLD)]
    assert distinct_names(players) == {("tiny-g3@100", OLD): "tiny-g3@100", ("random", ""): "random"}


def test_networks_of_one_name_get_the_first_digits_of_their_weights():
    names = {("tiny", OLD): "tiny#98339f01", ("tiny", NEW): "tiny#d910199d", ("tiny", ""): "tiny", ("wee", OLD): "wee"}
    assert distinct_names(names) == distinct_names(reversed(names)) == names


def test_as_many_digits_are_taken_as_tell_them_apart():
    other_search = "98339f012e9480ef/11113333"
    names = distinct_names([("tiny", OLD), ("tiny", other_search)])
    assert names["tiny", OLD] == "tiny#98339f012e9480ef/11112"
    assert names["tiny", other_search] == "tiny#98339f012e9480ef/11113"


def test_a_player_marked_elsewhere_is_still_one_player():
    assert set(distinct_names([("tiny#98339f01", OLD), ("tiny", OLD)]).values()) == {"tiny"}
    names = distinct_names([("tiny#98339f01", OLD), ("tiny", OLD), ("tiny", NEW)])
    assert list(names.values()) == ["tiny#98339f01", "tiny#98339f01", "tiny#d910199d"]
    assert set(distinct_names([("tiny#98339f01", NEW)]).values()) == {"tiny#98339f01"}, "other digits stay"


@given(st.permutations([(name, identity) for name in ("a", "b") for identity in ("", "0" * 12, "0" * 9 + "1", "1")]))
def test_different_players_have_different_names_in_any_order(players):
    names = distinct_names(players)
    assert len(set(names.values())) == len(players)
    assert names == distinct_names(sorted(players))


@pytest.mark.parametrize(
    ("files", "names"),
    [
        ([], []),
        (["runs/a/matches.jsonl"], [""]),
        (["runs/a/matches.jsonl", "runs/b/matches.jsonl"], ["a", "b"]),
        (["old/a/matches.jsonl", "new/a/matches.jsonl", "runs/b/matches.jsonl"], ["old/a", "new/a", "runs/b"]),
        (["runs/a/matches.jsonl", "kept/a.jsonl"], ["a", "a.jsonl"]),
    ],
)
def test_runs_are_called_by_the_end_of_their_paths(files, names):
    assert run_names([Path(file) for file in files]) == names
