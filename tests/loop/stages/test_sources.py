"""The first teacher caches deterministic evaluations, and no random playouts."""

import msgspec
import numpy as np
import pytest

from ludus.errors import BadPreset
from ludus.loop.directory.folder import Folder
from ludus.loop.stages.sources import check_first, first_sources
from ludus.loop.stages.stage import Stage
from ludus.players.thinking.group import Group


@pytest.fixture
def searched(tiny, tmp_path):
    """Return a function that searches one position in many trees with a first teacher."""

    def searched(teacher, seed=0):
        preset = msgspec.structs.replace(tiny, first_teacher=teacher, seed=seed)
        stage = Stage(preset, Folder(tmp_path), preset.make_games(), 1, lambda _event: None)
        source, game = first_sources(stage)(0), stage.games[0]
        group = Group(game, source.evaluator, preset.search, num_trees=64, max_visits=30, cache=source.cache, seed=seed)
        for tree in range(64):
            group.new_tree(tree, game.start_state().view(np.uint64))
            group.set_target(tree, 30, explores=True)
        while group.step():
            pass
        return group

    return searched


def test_a_playout_is_not_cached_for_all_games(searched):
    values = []
    for seed in range(8):
        group = searched("playouts", seed)
        assert group.counters()["cache_hits"] == 0
        roots = group.trees.child[:, 0]
        values.append(float((roots["value_sum"] / roots["visits"]).mean()))
    # The means of 64 trees differ by 0.01 to 0.03; they differed by 0.06 to 0.1 when they shared playouts.
    assert np.std(values) < 0.06


def test_matches_whose_openings_end_the_game_are_refused_before_anything_is_played(tiny, tmp_path):
    def check(**match):
        preset = msgspec.structs.replace(tiny, match=msgspec.structs.replace(tiny.match, **match))
        check_first(Stage(preset, Folder(tmp_path), preset.make_games(), 1, lambda _event: None))

    with pytest.raises(BadPreset, match=r"match\.opening_actions: tictactoe: 9 random actions end the game"):
        check(opening_actions=9)
    check(opening_actions=4)
    check(opening_actions=9, pairs=0)


def test_a_constant_evaluation_is_cached(searched):
    assert searched("uniform").counters()["cache_hits"] > 0
