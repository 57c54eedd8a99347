"""The matches of a run begin with balanced openings, and with any where hardly one is balanced."""

import msgspec
import numpy as np
import pytest

from ludus.arena.balance import Balance
from ludus.arena.match import play_match
from ludus.arena.table import Tables
from ludus.errors import BadInput
from ludus.loop.run import Run
from ludus.loop.stages import gate, measure
from ludus.players.opponents.random import RandomPlayer
from ludus.rating import GateSettings

PAIRS = 12


class Uneven:
    """Finds no opening balanced."""

    def __init__(self, _seed):
        pass

    def __call__(self, _game, states):
        return np.zeros(len(states), bool)


def random_player(_stage, generation):
    player = RandomPlayer(generation)
    player.name = measure.name_of(generation)
    return player


@pytest.fixture
def stage_of(tiny, tmp_path, monkeypatch):
    """Return a function that makes the stage of a run of random players, with openings of so many actions."""

    def stage_of(opening_actions):
        match = msgspec.structs.replace(tiny.match, pairs=PAIRS, opening_actions=opening_actions)
        preset = msgspec.structs.replace(tiny, match=match, gate=GateSettings(kind="score"))
        return Run(preset, tmp_path)._stage

    monkeypatch.setattr(measure, "player_of", random_player)
    monkeypatch.setattr(gate, "player_of", random_player)
    return stage_of


@pytest.fixture
def seen(monkeypatch):
    """Return a list that gets the games of all matches."""
    seen = []
    monkeypatch.setattr(
        measure, "play_match", lambda *players, **plan: play_match(*players, **plan, on_game=seen.append)
    )
    return seen


def openings(game, seen):
    """Return the positions after the openings of games [K, words]."""
    positions = [game.start() for _ in seen]
    for number, each in enumerate(seen):
        for action in each.actions[: each.opening]:
            positions[number] = positions[number].play(action)
    return np.array([position.state.view(np.uint64) for position in positions])


@pytest.mark.parametrize("stage_name", ["measure", "gate"])
def test_matches_of_a_run_begin_with_balanced_openings(stage_of, seen, stage_name):
    stage = stage_of(4)
    if stage_name == "gate":
        gate.choose_player(stage, 1, 0)
    else:
        measure.measure(stage, 1)
    (game,), balance = stage.games, Balance(stage.seed(1))
    assert len(seen) == {"measure": 4, "gate": 2}[stage_name] * PAIRS
    assert balance(game, openings(game, seen)).all()
    drawn = Tables(game, 2 * PAIRS)
    drawn.open_with(4, stage.seed(1))
    assert not balance(game, drawn.words).all(), "it is by choice, not by chance"


def test_a_run_goes_on_where_hardly_any_opening_is_balanced(stage_of, seen, monkeypatch):
    monkeypatch.setattr(measure, "Balance", Uneven)
    stage = stage_of(3)
    (game,), (one, other) = stage.games, (random_player(stage, generation) for generation in (0, 1))
    result = measure.meet(stage, 1, one, other, pairs=PAIRS)
    assert sum(result.pairs) == PAIRS
    drawn = Tables(game, 2 * PAIRS)
    drawn.open_with(3, stage.seed(1))
    by_pair = sorted(seen, key=lambda each: each.pair)
    assert (openings(game, by_pair) == drawn.words).all(), "the openings are those that come first"


def test_generations_that_no_match_joins_to_the_anchor_take_no_rating_from_those_that_met_it(stage_of, monkeypatch):
    stage = stage_of(0)
    settings = msgspec.structs.replace(stage.preset.match, previous=[2], anchor_every=4)
    stage.preset = msgspec.structs.replace(stage.preset, match=settings, generations=20)
    for generation in range(5):
        measure.measure(stage, generation)
    rated = [generation for generation in range(5) if measure.rating_of(stage, generation)]
    assert rated == [0, 2, 4], "the others have met one another alone"


def test_matches_without_random_actions_begin_at_the_start_even_if_it_is_not_balanced(stage_of, seen, monkeypatch):
    monkeypatch.setattr(measure, "Balance", lambda _seed: lambda *_asked: pytest.fail("the start needs no judge"))
    stage = stage_of(0)
    measure.measure(stage, 1)
    assert {each.opening for each in seen} == {0}


def test_openings_that_end_the_game_are_named_as_such(stage_of):
    stage = stage_of(9)
    with pytest.raises(BadInput, match="tictactoe: 9 random actions end the game; choose shorter openings"):
        measure.measure(stage, 1)
