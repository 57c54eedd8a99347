"""Start models are grown to a preset's network; priors are boosted; games have unequal shares."""

import msgspec
import numpy as np
import pytest

from ludus.errors import BadPreset
from ludus.loop.preset import GameShares, Preset
from ludus.loop.run import Run
from ludus.loop.stages import sources
from ludus.loop.stages.stage import Stage
from ludus.loop.stages.start import info_of
from ludus.network.boost import BoostedEvaluator, BoostSettings
from ludus.network.checkpoint import Checkpoint, load_checkpoint
from ludus.network.config import NetworkSettings, Shapes
from ludus.network.model import draw_arrays
from ludus.store import read_shard, shard_path


def changed(preset, **settings):
    return msgspec.structs.replace(preset, **settings)


@pytest.fixture(scope="module")
def first_run(tiny, tmp_path_factory):
    run = Run(tiny, tmp_path_factory.mktemp("first"))
    run.go()
    return run


def test_a_run_starts_from_a_smaller_networks_model(tiny, first_run, tmp_path):
    start = first_run.folder.model(1)
    network = NetworkSettings(blocks=2, channels=12, head_channels=2, frozen_generations=1)
    preset = changed(tiny, name="grown", start=str(start), network=network)
    run = Run(preset, tmp_path / "grown")
    run.go()
    models = [load_checkpoint(run.folder.model(generation)) for generation in range(2)]
    assert all(len(model.info.ancestors) == 1 and "tiny" in model.info.ancestors[0] for model in models)
    old, frozen, free = load_checkpoint(start).arrays, models[0].arrays, models[1].arrays
    stem = "stem.0.weight"  # [channels, planes, 3, 3]
    assert frozen[stem].shape[0] == 12
    np.testing.assert_array_equal(frozen[stem][:8], old[stem])
    assert not np.array_equal(free[stem], frozen[stem]), "the body learns from the second generation on"
    assert not np.array_equal(frozen["policy.linear.weight"], free["policy.linear.weight"])
    played = read_shard(shard_path(run.folder.shards, 0, 0))
    assert set(played.network.tolist()) == {-1}, "the grown start model plays generation 0"


def test_a_teacher_may_play_first_though_the_network_begins_with_a_model(tiny, first_run, tmp_path):
    start = first_run.folder.model(1)
    selfplay = msgspec.structs.replace(tiny.selfplay, teacher_visits=40)
    frozen = NetworkSettings(blocks=1, channels=8, head_channels=2, frozen_generations=1)
    preset = changed(
        tiny,
        name="taught",
        start=str(start),
        first_teacher="playouts",
        selfplay=selfplay,
        generations=1,
        network=frozen,
    )
    run = Run(preset, tmp_path / "taught")
    run.go()
    searched, plain = (each.folder.metrics()[0].simulations for each in (run, first_run))
    assert searched > 2 * plain, "the teacher searches with all its visits"
    stem = "stem.0.weight"
    np.testing.assert_array_equal(
        load_checkpoint(run.folder.model(0)).arrays[stem], load_checkpoint(start).arrays[stem]
    )


def test_a_started_run_no_longer_needs_its_start_model(tiny, first_run, tmp_path):
    start = tmp_path / "start.safetensors"
    start.write_bytes(first_run.folder.model(1).read_bytes())
    preset = changed(tiny, name="orphan", start=str(start))
    asked = iter([False, True])
    Run(preset, tmp_path / "orphan").go(until=lambda: next(asked))
    start.unlink()
    run = Run(preset, tmp_path / "orphan")
    run.go()
    first, second = (load_checkpoint(run.folder.model(generation)).info.ancestors for generation in range(2))
    assert first == second
    assert len(first) == 1


def test_a_body_that_was_never_trained_is_not_frozen(tiny):
    with pytest.raises(ValueError, match=r"frozen_generations needs start"):
        changed(tiny, network=NetworkSettings(blocks=1, channels=8, frozen_generations=1))


@pytest.mark.parametrize(
    ("generation", "network", "boosted"),
    [
        (1, 0, False),
        (2, 1, True),
        (3, 2, True),
        (4, 3, False),
        (2, 0, True),
        (4, 1, False),
    ],  # the last two: failed gate
)
def test_priors_are_boosted_in_the_generations_of_the_preset(first_run, generation, network, boosted):
    preset = Preset(
        name="boosted",
        games=["wallgame:standard:4x4"],
        network=NetworkSettings(blocks=1, channels=8, head_channels=2),
        boost=BoostSettings(actions="mouse", prior=0.5, first_generation=2, last_generation=3),
    )
    stage = Stage(preset, first_run.folder, preset.make_games(), 1, lambda _event: None)
    checkpoint = untrained(preset)
    source = sources.network_sources(stage, checkpoint, generation, network=network)[0]
    assert isinstance(source.evaluator, BoostedEvaluator) == boosted
    lane = source.evaluator.lane(1)
    lane.submit(1)
    logits = lane.answer()[0][0].astype(np.float64)  # [A]
    mouse = list(preset.make_games()[0].action_classes["mouse"])
    shares = np.exp(logits - logits.max()) / np.exp(logits - logits.max()).sum()
    assert (shares[mouse].sum() > 0.6) == boosted, "four actions with 0.5 each, 1 in total for all"


def untrained(preset):
    games = preset.make_games()
    return Checkpoint(info_of(preset, games, 0), draw_arrays(preset.network, Shapes.of(games[0]), 0))


def test_a_class_of_actions_that_the_game_does_not_have_is_refused(tiny):
    with pytest.raises(BadPreset, match=r"boost\.actions is 'mouse'; the classes that the game declares are: none"):
        changed(tiny, boost=BoostSettings(actions="mouse")).make_games()


def test_a_boost_of_the_first_teacher_alone_is_refused(tiny):
    boost = BoostSettings(actions="mouse", first_generation=0, last_generation=0)
    preset = changed(tiny, games=["wallgame:standard:3x3"], boost=boost)
    with pytest.raises(BadPreset, match=r"boost\.last_generation must be 1 or more"):
        preset.make_games()
    assert changed(preset, start="model.safetensors").make_games()


def test_heads_that_the_game_does_not_declare_are_refused_before_anything_is_played(tiny):
    with pytest.raises(BadPreset, match="no final maps"):
        changed(tiny, network=NetworkSettings(blocks=1, channels=8, auxiliary=("maps",))).make_games()


def test_games_are_played_in_their_shares(tmp_path, tiny):
    preset = changed(
        tiny,
        name="shared",
        games=["wallgame:classic:3x3@4x4", "wallgame:classic:4x4"],
        generations=1,
        shares=(GameShares(shares=(1.0, 3.0)),),
        match=msgspec.structs.replace(tiny.match, pairs=0),
    )
    run = Run(preset, tmp_path / "shared")
    run.go()
    played = read_shard(shard_path(run.folder.shards, 0, 0))
    _, firsts = np.unique(played.game_id, return_index=True)
    assert np.bincount(played.game[firsts]).tolist() == [4, 12]
