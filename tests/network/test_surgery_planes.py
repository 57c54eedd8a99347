"""A network with additional planes gives the same results as before, wherever the new planes are inserted."""

from functools import cache

import msgspec
import numpy as np
import pytest
import torch

import ludus
from ludus.errors import BadModel
from ludus.network.config import NetworkSettings, Shapes
from ludus.network.model import Network
from ludus.network.surgery import warm_start
from ludus.seeding import stream

SMALL = NetworkSettings(blocks=2, channels=12, head_channels=5)
FORMS = {"linear": {}, "size-free": {"heads": "size-free", "pooling_every": 1}}
PAIRS = [
    ("wallgame:classic:5x5", "wallgame:classic:5x5:ways"),
    ("wallgame:classic:5x5", "wallgame:classic:5x5:masked"),
    ("wallgame:classic:5x5", "wallgame:classic:5x5:ways:masked"),
    ("wallgame:classic:5x5:masked", "wallgame:classic:5x5:ways:masked"),
    ("wallgame:standard:4x3@5x5:masked", "wallgame:standard:4x3@5x5:ways:masked"),
    ("connect4", "connect4:ahead"),
    ("connect4:discs", "connect4"),
    ("gomoku:7x7", "gomoku:7x7:swap2"),
    ("gomoku:7x7", "gomoku:renju:7x7"),
    ("gomoku:renju:7x7", "gomoku:renju:7x7:swap2"),
    ("gomoku:7x7:swap2", "gomoku:renju:7x7:swap2"),  # between old ones
    ("gomoku:7x7", "gomoku:7x7:threats"),
    ("gomoku:7x7:threats", "gomoku:7x7:swap2:threats:fours"),  # between old ones and behind them
    ("go:5x5", "go:5x5:liberties"),
    ("go:5x5:history", "go:5x5:liberties:history"),  # between old ones
    ("go:5x5@7x7", "go:5x5@7x7:liberties:history"),
]
SHAPES = Shapes(planes=(3, 4, 4), plane_scale=(1.0, 0.5, 1.0), num_actions=3)
change = msgspec.structs.replace


@cache
def seen(small, large):
    """Return the planes of the same random positions in both games."""
    small, large, found = ludus.game(small), ludus.game(large), []
    for number in range(3):
        rng, ends = stream(number, "test", "planes"), [small.start(), large.start()]
        while actions := sorted(set(ends[0].actions) & set(ends[1].actions)):
            found.append([end.planes for end in ends])
            action = actions[int(rng.integers(len(actions)))]
            ends = [end.play(action) for end in ends]
    return [np.stack(planes) for planes in zip(*found, strict=True)]


def answers(arrays, settings, shapes, planes):
    network = Network(settings, shapes)
    network.load_state_dict({name: torch.from_numpy(np.array(array)) for name, array in arrays.items()})
    with torch.inference_mode():
        return network.eval()(torch.from_numpy(planes))


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize(("small", "large"), PAIRS)
def test_additional_planes_do_not_change_the_output(draw, checkpoint_of, small, large, form):
    games = ludus.game(small), ludus.game(large)
    before, after = (Shapes.of(game) for game in games)
    old = checkpoint_of(draw(change(SMALL, **form), before))
    start = warm_start(old, old.info.network, after, seed=4)
    planes = seen(small, large)
    expected = answers(old.arrays, old.info.network, before, planes[0])
    policy, outcome = answers(start.arrays, old.info.network, after, planes[1])
    assert min(each.std() for each in expected) > 0.01, "the compared values are not trivial"
    torch.testing.assert_close(policy[:, : before.num_actions], expected[0], rtol=1e-4, atol=1e-4)
    torch.testing.assert_close(outcome, expected[1], rtol=1e-4, atol=1e-4)


def test_the_mask_is_matched_with_the_mask_and_other_planes_in_order(draw, checkpoint_of):
    old = checkpoint_of(draw(SMALL, change(SHAPES, mask_plane=1)))
    shapes = change(SHAPES, planes=(5, 4, 4), plane_scale=(0.5, 1.0, 1.0, 1.0, 0.25), mask_plane=4)
    weights = warm_start(old, SMALL, shapes).arrays["stem.0.weight"]
    before = old.arrays["stem.0.weight"]
    for plane, place, scale in ((0, 0, 2.0), (1, 4, 2.0), (2, 1, 1.0)):
        np.testing.assert_allclose(weights[:, place], before[:, plane] * scale, rtol=1e-6)
    assert not weights[:, [2, 3]].any()


def test_planes_are_matched_by_name_in_any_order(draw, checkpoint_of):
    named = change(SHAPES, plane_names=("mine", "theirs", "turn"))
    shapes = change(SHAPES, planes=(4, 4, 4), plane_scale=(1.0,) * 4, plane_names=("turn", "new", "mine", "theirs"))
    old = checkpoint_of(draw(SMALL, named))
    weights, before = warm_start(old, SMALL, shapes).arrays["stem.0.weight"], old.arrays["stem.0.weight"]
    for plane, place, scale in ((0, 2, 1.0), (1, 3, 0.5), (2, 0, 1.0)):
        np.testing.assert_allclose(weights[:, place], before[:, plane] * scale, rtol=1e-6)
    assert not weights[:, 1].any()


@pytest.mark.parametrize(
    ("small", "large", "name"),
    [
        ("go:5x5", "go:5x5:seed", "not to be retaken"),
        ("chess", "chess:seed", "my pawns"),
        ("connect4:ahead", "connect4", "wins by force"),
        ("wallgame:classic:4x4:masked", "wallgame:classic:4x4:ways", "board"),
    ],
)
def test_a_plane_that_the_new_game_does_not_show_is_named(draw, checkpoint_of, small, large, name):
    before, after = (Shapes.of(ludus.game(spec)) for spec in (small, large))
    with pytest.raises(BadModel, match=f"reads the plane '{name}', which the new game does not have"):
        warm_start(checkpoint_of(draw(SMALL, before)), SMALL, after)


@pytest.mark.parametrize(
    ("mine", "theirs", "complaint"),
    [
        ({"mask_plane": 2}, {"planes": (4, 4, 4), "plane_scale": (1.0,) * 4}, "reads a mask, which the new game lacks"),
        ({}, {"mask_plane": 2}, "reads 3 planes, but the new game has 2 besides its mask"),
        ({}, {"planes": (2, 4, 4), "plane_scale": (1.0,) * 2}, "reads 3 planes, but the new game has 2[.]"),
    ],
)
def test_planes_that_the_new_game_lacks_are_refused(draw, checkpoint_of, mine, theirs, complaint):
    old = checkpoint_of(draw(SMALL, change(SHAPES, **mine)))
    with pytest.raises(BadModel, match=complaint):
        warm_start(old, SMALL, change(SHAPES, **theirs))
