"""Matches in games with random setups: both games of a pair have the same setup, and records store it."""

from functools import partial

import msgspec
import numpy as np
import pytest

import ludus
from ludus.arena.balance import Balance
from ludus.arena.match import play_match
from ludus.arena.record import MatchPlan, Record, read_record
from ludus.arena.results import read_results
from ludus.arena.summary import MatchGame
from ludus.arena.table import Tables
from ludus.errors import BadInput
from ludus.loop.game_records.positions import positions_of
from ludus.loop.game_records.readers import read_records
from ludus.players.opponents.random import RandomPlayer

FREESTYLE = ludus.game("wallgame:freestyle:5x5")
PLAN = MatchPlan("a", "b", [FREESTYLE.name], seed=3, opening_actions=2, balanced=False)


class AtRandom(RandomPlayer):
    def __init__(self, name, seed):
        super().__init__(seed=seed)
        self.name = name


def games_of(pairs=4, opening_actions=2, **options):
    seen = []
    players = (AtRandom("a", 1), AtRandom("b", 2))
    result = play_match(
        [FREESTYLE], *players, pairs=pairs, seed=3, opening_actions=opening_actions, on_game=seen.append, **options
    )
    return result, sorted(seen, key=lambda game: (game.pair, game.first))


def first_states(tables):
    return [words.tobytes() for words in tables.words]


def test_both_games_of_a_pair_begin_alike_and_every_pair_by_itself():
    tables = Tables(FREESTYLE, 12)
    tables.open_with(0, seed=1)
    states = first_states(tables)
    assert states[::2] == states[1::2]
    assert len(set(states)) == 6
    assert states == [FREESTYLE.start_state(setup).tobytes() for setup in tables.setups]


def test_a_start_depends_on_the_seed_and_the_number_of_its_pair_alone():
    tables, part, other = Tables(FREESTYLE, 12), Tables(FREESTYLE, 4), Tables(FREESTYLE, 12)
    tables.open_with(2, seed=1)
    part.open_with(2, seed=1, pairs=[4, 2])
    other.open_with(2, seed=2)
    assert part.setups == [*tables.setups[8:10], *tables.setups[4:6]]
    assert first_states(part) == [*first_states(tables)[8:10], *first_states(tables)[4:6]]
    assert not set(other.setups) & set(tables.setups)


def test_a_start_that_is_not_balanced_is_drawn_again_even_without_random_actions():
    asked = []

    def accepts(game, states):
        asked.extend(words.tobytes() for words in states)
        return np.array([words.tobytes() not in refused for words in states])

    plain = Tables(FREESTYLE, 6)
    plain.open_with(0, seed=1)
    refused = {first_states(plain)[2]}
    tables = Tables(FREESTYLE, 6)
    tables.open_with(0, seed=1, accepts=accepts)
    states = first_states(tables)
    assert (states[:2], states[4:]) == (first_states(plain)[:2], first_states(plain)[4:])
    assert states[2] == states[3] != first_states(plain)[2]
    assert len(asked) == 4


def test_real_judges_find_balanced_starts():
    tables = Tables(FREESTYLE, 8)
    tables.open_with(2, seed=1, accepts=Balance())
    assert Balance()(FREESTYLE, tables.words).all()


def test_each_game_reports_its_setup_and_can_be_replayed():
    result, seen = games_of()
    for one, other in zip(seen[::2], seen[1::2], strict=True):
        assert (one.setup, one.actions[:2]) == (other.setup, other.actions[:2])
    assert len({game.setup for game in seen}) == 4
    for game in seen:
        position = FREESTYLE.start(game.setup)
        for action in game.actions:
            position = position.play(action)
        winner = position.outcome.winner
        assert game.winner == (None if winner is None else (game.first, game.second)[winner])
    assert result.repeats == 0


def test_equal_actions_from_other_starts_are_no_repetition():
    games = [
        MatchGame(FREESTYLE.name, pair, first, second, [1, 2], 0, None, "", f"random:{pair}")
        for pair in range(2)
        for first, second in (("a", "b"), ("b", "a"))
    ]
    players = (AtRandom("a", 1), AtRandom("b", 2))
    again = partial(play_match, [FREESTYLE], *players, pairs=2, seed=0)
    assert again(played=games).repeats == 0
    assert again(played=[msgspec.structs.replace(game, setup="random:0") for game in games]).repeats == 2


def test_a_half_finished_pair_with_another_opening_is_refused():
    _, seen = games_of()
    players = (AtRandom("a", 1), AtRandom("b", 2))
    again = partial(play_match, [FREESTYLE], *players, pairs=4, seed=3, opening_actions=2)
    assert sum(again(played=seen[1:]).pairs) == sum(again(played=seen[:-1]).pairs) == 4
    for changes in ({"setup": None}, {"actions": seen[0].actions[::-1]}):
        with pytest.raises(BadInput, match="pair 0: the recorded game has another opening"):
            again(played=[msgspec.structs.replace(seen[0], **changes)])


def test_a_game_whose_starts_are_never_balanced_is_refused_with_the_remedy():
    with pytest.raises(BadInput, match="too few of its random setups are balanced; allow unbalanced ones"):
        Tables(FREESTYLE, 2).open_with(0, seed=1, accepts=lambda game, states: np.zeros(len(states), np.bool_))


def test_games_of_other_records_are_distinguished_by_their_setups(tmp_path):
    for name, setup in (("one", "random:1"), ("two", "random:2"), ("three", "random:1")):
        record = Record(tmp_path / f"{name}.jsonl", msgspec.structs.replace(PLAN, seed=len(name)))
        for players in (("a", "b"), ("b", "a")):
            record.add(MatchGame(FREESTYLE.name, 0, *players, [1, 2], 2, None, "", setup))
    remarks = []
    found = read_results(sorted(tmp_path.iterdir()), remarks.append)
    assert sum(result.draws for result in found) == 4
    assert len(remarks) == 1
    assert remarks[0].startswith("2 games are skipped because other records of the same two players contain")


def test_a_record_keeps_the_starts_and_is_replayed_from_them(tmp_path):
    path = tmp_path / "match.jsonl"
    record = Record(path, PLAN)
    _, seen = games_of()
    for game in seen:
        record.add(game)
    assert read_record(path)[1] == seen
    samples = read_records(path, [FREESTYLE])
    assert len(samples) == sum(len(game.actions) - 2 for game in seen)
    last = {game.setup: game for game in seen}
    for setup, game in last.items():
        after = FREESTYLE.start(setup).play(game.actions[0]).play(game.actions[1]).state.view(np.uint64)
        assert (samples.states == after).all(axis=1).any()
    faults: list[str] = []
    assert len(positions_of([path], FREESTYLE, faults.append)) >= len(seen)
    assert not faults


def test_games_of_one_start_are_written_without_it(tmp_path):
    path = tmp_path / "match.jsonl"
    Record(path, PLAN).add(MatchGame("connect4", 0, "a", "b", [3], 0, None, ""))
    assert b"setup" not in path.read_bytes()
