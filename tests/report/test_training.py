"""A run as the page of a growing site shows it: its generations, who plays, and sample games."""

import msgspec
import pytest

from ludus.loop.directory.lines import append
from ludus.report.training import described, sample_game
from ludus.site.faults import NotHere

LEVEL = "ludus:grown-full"


def bot_of(generation):
    return f"ludus:generation-{generation}"


def test_a_run_without_generations_is_described():
    from ludus.loop.preset import Preset

    run = described(Preset(name="x", games=["connect4"], generations=7), [], LEVEL, bot_of)
    assert (run.title, run.level, run.state) == ("Connect Four", LEVEL, "starting")
    assert (run.generation, run.of, run.playing, run.remaining_s, run.generations) == (0, 7, None, None, [])
    assert run.opponent == "random playouts with 200 visits a move"


def test_generations_are_described_with_elo_losses_and_alarms(folder):
    run = described(folder.preset(), folder.metrics(), LEVEL, bot_of)
    assert [each.elo for each in run.generations] == [0.0, None, 20.0]
    assert [each.elo_error for each in run.generations] == [5.0, None, 5.0]
    assert [each.policy_loss for each in run.generations] == [2.0, 1.9, 1.8]
    assert [each.alarms for each in run.generations] == [[], ["too many <draws>."], []]
    assert run.generations[2].bot == "ludus:generation-2"
    assert (run.generation, run.of, run.trained_s) == (3, 5, 1.5)
    assert run.remaining_s == pytest.approx(1.0)


def test_a_generation_that_did_not_pass_the_gate_does_not_play(folder):
    assert described(folder.preset(), folder.metrics(), LEVEL, bot_of).playing == 2
    failed = msgspec.structs.replace(folder.metrics()[-1], generation=3, playing=2)
    append(folder.path / "metrics.jsonl", failed)
    run = described(folder.preset(), folder.metrics(), LEVEL, bot_of)
    assert run.playing == folder.playing() == 2
    assert [each.passed for each in run.generations] == [True, True, True, False]


def test_a_sample_game_is_shown_step_by_step(folder):
    game = sample_game(folder, folder.preset(), 1, 0)
    assert game.count == 5
    assert len(game.steps) >= 6
    assert (game.steps[0].move, game.steps[0].board.choices) == ("", [])
    assert all(step.move for step in game.steps[1:])
    assert game.steps[-1].value is None, "no search has valued the last position"
    assert game.winner in (0, 1, None)


@pytest.mark.parametrize(("generation", "number"), [(1, 5), (1, -1), (9, 0)])
def test_games_that_are_not_there_are_reported(folder, generation, number):
    with pytest.raises(NotHere):
        sample_game(folder, folder.preset(), generation, number)
