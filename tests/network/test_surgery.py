"""After surgery, a network computes the same as before where possible; boards move with their cells and actions."""

import math

import msgspec
import numpy as np
import pytest
import torch

import ludus
from ludus.errors import BadModel
from ludus.network.checkpoint import Checkpoint, array_shapes
from ludus.network.config import NetworkSettings, Shapes
from ludus.network.model import Network
from ludus.network.surgery import warm_start
from ludus.network.surgery.graft import Axis, first, graft

SMALL = NetworkSettings(blocks=2, channels=12, head_channels=5)
PLACES = (*((0, row, column) for row in range(3) for column in range(4)), (0, -1, -1))
SHAPES = Shapes(planes=(3, 3, 4), plane_scale=(1.0, 0.5, 0.1), num_actions=13, action_places=PLACES)
FORMS = {
    "plain": {},
    "scalar": {"value": "scalar", "auxiliary": ("reply", "moves_left")},
    "hidden": {"hidden": 9, "auxiliary": ("reply", "moves_left")},
    "everything": {"heads": "size-free", "pooling_every": 1, "squeeze": 3, "auxiliary": ("reply", "short_values")},
}
change = msgspec.structs.replace


def planes_of(shapes, count=20):
    return np.random.default_rng(0).integers(3, size=(count, *shapes.planes), dtype=np.uint8)


@pytest.fixture(scope="module", params=FORMS)
def old(request, draw, checkpoint_of):
    return checkpoint_of(draw(change(SMALL, **FORMS[request.param]), SHAPES))


@pytest.fixture(scope="module")
def plain(draw, checkpoint_of):
    return checkpoint_of(draw(SMALL, SHAPES))


def network_of(checkpoint, arrays=None, settings=None, shapes=None):
    network = Network(settings or checkpoint.info.network, shapes or checkpoint.info.shapes)
    arrays = checkpoint.arrays if arrays is None else arrays
    network.load_state_dict({name: torch.from_numpy(np.array(array)) for name, array in arrays.items()})
    return network.eval()


def answers(network, planes):
    with torch.inference_mode():
        heads = network.heads(torch.from_numpy(planes))
    return {"policy": heads.policy, "outcome": heads.outcome, **heads.auxiliary}


def assert_same(one, other):
    assert one.keys() == other.keys()
    for name in one:
        assert one[name].std() > 0.01, "the compared values are not trivial"
        torch.testing.assert_close(one[name], other[name], rtol=1e-4, atol=1e-4, msg=name)


GROWN = {
    "as it is": {},
    "deeper": {"blocks": 4},
    "wider": {"channels": 18},
    "wider heads": {"head_channels": 8},
    "all of it": {"blocks": 3, "channels": 20, "head_channels": 6},
}


@pytest.mark.parametrize("changes", GROWN.values(), ids=GROWN)
def test_a_deeper_or_wider_network_starts_as_the_same_function(old, changes):
    settings = change(old.info.network, **changes)
    start = warm_start(old, settings, SHAPES, seed=3)
    assert {name: array.shape for name, array in start.arrays.items() if "num_batches" not in name} == array_shapes(
        settings, SHAPES
    )
    assert start.carried == sum(array.size for array in old.arrays.values())
    planes = planes_of(SHAPES)
    assert_same(answers(network_of(old), planes), answers(network_of(old, start.arrays, settings), planes))


def test_more_hidden_units_start_as_the_same_function(draw, checkpoint_of):
    old = checkpoint_of(draw(change(SMALL, hidden=9), SHAPES))
    settings = change(SMALL, hidden=14)
    start = warm_start(old, settings, SHAPES)
    assert start.carried == sum(array.size for array in old.arrays.values())
    planes = planes_of(SHAPES)
    assert_same(answers(network_of(old), planes), answers(network_of(old, start.arrays, settings), planes))
    with pytest.raises(BadModel, match="it has 9 hidden, more than 8"):
        warm_start(old, change(SMALL, hidden=8), SHAPES)


@pytest.mark.parametrize("changes", [{"squeeze": 4}, {"pooling_every": 2, "channels": 16}], ids=["squeeze", "pooling"])
def test_a_new_part_starts_as_the_same_function(plain, changes):
    settings = change(SMALL, **changes)
    start = warm_start(plain, settings, SHAPES)
    planes = planes_of(SHAPES)
    assert_same(answers(network_of(plain), planes), answers(network_of(plain, start.arrays, settings), planes))


@pytest.mark.parametrize("changes", [{"blocks": 3}, {"channels": 18}, {"squeeze": 4}], ids=str)
def test_new_parts_are_trained(plain, changes):
    settings = change(SMALL, **changes)
    start = warm_start(plain, settings, SHAPES)
    network = network_of(plain, start.arrays, settings).train()
    optimiser = torch.optim.SGD(network.parameters(), lr=0.05)
    for _ in range(2):
        optimiser.zero_grad()
        policy, outcome = network(torch.from_numpy(planes_of(SHAPES)))
        (policy.square().mean() + outcome.square().mean()).backward()
        optimiser.step()
    for name, parameter in network.named_parameters():
        moved = (parameter.detach().numpy() != start.arrays[name]).mean()
        assert moved > 0.5, f"{name} stands still"


def test_new_planes_have_no_effect_and_old_ones_keep_their_scale(old):
    shapes = change(SHAPES, planes=(5, 3, 4), plane_scale=(0.25, 1.0, 0.3, 1.0, 1.0))
    start = warm_start(old, old.info.network, shapes)
    planes = planes_of(shapes)
    assert_same(answers(network_of(old), planes[:, :3]), answers(network_of(old, start.arrays, shapes=shapes), planes))


@pytest.mark.parametrize("has_places", [True, False])
def test_a_wider_policy_keeps_the_old_logits_and_begins_quietly_with_the_new(old, has_places):
    has_places = has_places or old.info.network.heads == "size-free"  # size-free heads need positions
    moved = (*((0, -1, -1), (1, -1, -1)), *PLACES[:-1]) if has_places else ()
    before = SHAPES if has_places else change(SHAPES, action_places=())
    shapes = change(SHAPES, num_actions=14, action_places=moved)
    start = warm_start(Checkpoint(change(old.info, shapes=before), old.arrays), old.info.network, shapes)
    planes = planes_of(shapes)
    expected, found = answers(network_of(old), planes), answers(network_of(old, start.arrays, shapes=shapes), planes)
    kept = [*range(2, 14), 0] if has_places else list(range(13))
    new = 1 if has_places else 13
    for name in ("policy", "reply"):
        if name in found:
            assert found[name][:, new].std() < 0.3 * found[name][:, kept].std()
            found[name] = found[name][:, kept]
    assert_same(expected, found)


def test_size_free_weights_are_carried_to_a_larger_board(draw, checkpoint_of):
    settings = change(SMALL, heads="size-free", pooling_every=2)
    old = checkpoint_of(draw(settings, SHAPES))
    places = (*((0, row, column) for row in range(6) for column in range(5)), (0, -1, -1))
    shapes = change(SHAPES, planes=(3, 6, 5), num_actions=31, action_places=places)
    start = warm_start(old, settings, shapes)
    for name, array in old.arrays.items():
        assert np.array_equal(start.arrays[name], array), name


OFFSET = (2, 1)
GAMES = [ludus.game("wallgame:classic:4x3"), ludus.game("wallgame:classic:7x5")]


@pytest.fixture(scope="module")
def boards(draw, checkpoint_of):
    """Return a network for 4 columns and 3 rows, and its warm start at column 2, row 1 of 7 columns and 5 rows."""
    small, large = (Shapes.of(game) for game in GAMES)
    old = checkpoint_of(draw(change(SMALL, blocks=0), small))
    return old, warm_start(old, old.info.network, large, offset=OFFSET)


def cell(game, text):
    """Return the cell for a notation such as c2, as (column, row from the top)."""
    rows = game.planes[2]
    return "abcdefg".index(text[0]), rows - int(text[1:])


def action(game, text):
    state = game.start_state()
    return next(each for each in game.calls.legal(state) if game.action_text(state, each) == text)


def test_hidden_layers_take_the_old_board_with_them(draw, checkpoint_of):
    small, large = (Shapes.of(game) for game in GAMES)
    old = checkpoint_of(draw(change(SMALL, hidden=9), small))
    start = warm_start(old, old.info.network, large, offset=OFFSET)
    there = start.arrays["policy.hidden.weight"].reshape(9, 5, 7, 5)  # [units, features, columns, rows]
    mine = old.arrays["policy.hidden.weight"].reshape(9, 5, 4, 3)
    assert np.array_equal(there[:, :, OFFSET[0] : OFFSET[0] + 4, OFFSET[1] : OFFSET[1] + 3], mine)
    before, after = action(GAMES[0], ">c3"), action(GAMES[1], ">e4")
    assert np.array_equal(start.arrays["policy.linear.weight"][after], old.arrays["policy.linear.weight"][before])


def test_a_wall_of_the_small_board_is_the_wall_at_the_offset(boards):
    """Detect a mix-up of rows and columns: planes are columns by rows, so other walls' weights would be found here."""
    old, start = boards
    small, large = GAMES
    for wall, moved in ((">a1", ">c2"), (">c3", ">e4"), ("^b1", "^d2"), ("^d2", "^f3")):
        before, after = action(small, wall), action(large, moved)
        for text, shifted in (("a1", "c2"), ("d3", "f4"), ("b2", "d3")):
            (column, row), (new_column, new_row) = cell(small, text), cell(large, shifted)
            for feature in range(5):
                # A linear layer reads features, columns, rows in this order.
                mine = old.arrays["policy.linear.weight"][before, (feature * 4 + column) * 3 + row]
                there = start.arrays["policy.linear.weight"][after, (feature * 7 + new_column) * 5 + new_row]
                assert mine == there


def test_an_embedded_board_gives_the_same_output_without_its_surroundings(boards):
    """Check the old function on the embedded board, with the head's features around it set to zero."""
    old, start = boards
    small, large = (Shapes.of(game) for game in GAMES)
    arrays = {name: array.copy() for name, array in start.arrays.items()}
    inside = np.zeros((5, 7, 5), bool)
    inside[:, OFFSET[0] : OFFSET[0] + 4, OFFSET[1] : OFFSET[1] + 3] = True
    for head in ("policy", "outcome"):
        arrays[f"{head}.linear.weight"][:, ~inside.reshape(-1)] = 0.0
    for each in (arrays, own := {name: array.copy() for name, array in old.arrays.items()}):
        for layer in ("stem", "policy.convolution", "outcome.convolution"):
            centre = each[f"{layer}.0.weight"][:, :, 1, 1].copy()
            each[f"{layer}.0.weight"][:] = 0.0  # no convolution looks over the edge
            each[f"{layer}.0.weight"][:, :, 1, 1] = centre
    planes = planes_of(small)
    framed = np.full((len(planes), *large.planes), 2, np.uint8)
    framed[:, :, OFFSET[0] : OFFSET[0] + 4, OFFSET[1] : OFFSET[1] + 3] = planes
    expected = answers(network_of(old, own), planes)
    found = answers(network_of(old, arrays, shapes=large), framed)
    torch.testing.assert_close(expected["outcome"], found["outcome"], rtol=1e-4, atol=1e-4)
    torch.testing.assert_close(expected["policy"][:, -9:], found["policy"][:, -9:], rtol=1e-4, atol=1e-4)


def test_weights_of_new_cells_have_the_spread_of_the_old(boards):
    old, start = boards
    before, after = old.arrays["policy.linear.weight"], start.arrays["policy.linear.weight"]
    new = after[~np.isin(after, before)]
    assert len(new) == after.size - before.size
    assert new.std() == pytest.approx(before.std(), rel=0.05)


def test_a_file_without_places_takes_them_from_its_game(boards):
    old, start = boards
    bare = Checkpoint(change(old.info, shapes=change(old.info.shapes, action_places=())), old.arrays)
    with pytest.raises(BadModel, match="declare action_places"):
        warm_start(bare, old.info.network, Shapes.of(GAMES[1]), offset=OFFSET)
    again = warm_start(bare, old.info.network, Shapes.of(GAMES[1]), source=Shapes.of(GAMES[0]), offset=OFFSET)
    assert all(np.array_equal(again.arrays[name], array) for name, array in start.arrays.items())


@pytest.mark.parametrize(
    ("changes", "offset", "what"),
    [
        ({"blocks": 1}, (0, 0), "it has 2 blocks, more than 1"),
        ({"channels": 8}, (0, 0), "it has 12 channels"),
        ({"pooling_every": 1}, (0, 0), "choose at least 15 channels"),
        ({}, (0, 1), "do not fit into planes"),
        ({}, (-1, 0), "do not fit into planes"),
    ],
)
def test_impossible_conversions_are_rejected(plain, changes, offset, what):
    with pytest.raises(BadModel, match=what) as refusal:
        warm_start(plain, change(SMALL, **changes), SHAPES, offset=offset)
    assert str(refusal.value).endswith(".")


def test_the_number_of_channels_in_the_error_message_is_enough(plain):
    warm_start(plain, change(SMALL, pooling_every=1, channels=15), SHAPES)
    with pytest.raises(BadModel, match="choose at least 15 channels"):
        warm_start(plain, change(SMALL, pooling_every=1, channels=14), SHAPES)


LAYERS = tuple((layer, row, column) for layer in range(2) for row in range(3) for column in range(4))


@pytest.mark.parametrize(
    ("more", "what"),
    [
        ({"num_actions": 24, "action_places": LAYERS}, "has 2 layers of actions on the board, but .* has 1;"),
        ({"num_actions": 14, "action_places": (*PLACES, (1, -1, -1))}, "has 2 actions without a cell, .* has 1;"),
        ({"num_maps": 2}, "has 2 final maps, but the new game has 1;"),
    ],
    ids=["layers", "placeless", "maps"],
)
def test_heads_with_too_many_outputs_for_the_new_game_are_rejected(draw, checkpoint_of, more, what):
    settings = change(SMALL, heads="size-free", auxiliary=("maps",))
    small = change(SHAPES, num_maps=1)
    old = checkpoint_of(draw(settings, change(small, **more)))
    with pytest.raises(BadModel, match=what):
        warm_start(old, settings, small)
    assert warm_start(old, change(settings, heads="linear"), small).carried > 0, "other heads start from random weights"


def test_unused_final_maps_may_be_fewer(draw, checkpoint_of):
    old = checkpoint_of(draw(change(SMALL, auxiliary=("maps",)), change(SHAPES, num_maps=2)))
    start = warm_start(old, SMALL, change(SHAPES, num_maps=1))
    assert np.array_equal(start.arrays["policy.linear.weight"], old.arrays["policy.linear.weight"])


@pytest.mark.parametrize(
    "today",
    [
        {"planes": (4, 3, 4), "plane_scale": (1.0, 0.5, 0.1, 1.0)},
        {"planes": (2, 3, 4), "plane_scale": (1.0, 0.5)},
        {"plane_scale": (1.0, 0.5, 0.2)},
        {"num_actions": 12, "action_places": PLACES[:-1]},
        {"action_places": PLACES[::-1]},
        {"num_maps": 3},
    ],
    ids=str,
)
def test_a_game_that_has_changed_since_the_training_is_named(draw, checkpoint_of, today):
    settings = change(SMALL, auxiliary=("maps",))
    shapes = change(SHAPES, num_maps=2)
    old, source = checkpoint_of(draw(settings, shapes)), change(shapes, **today)
    complaint = r"odd was trained on other planes, actions or final maps than connect4 has now \(.*; train it again\."
    with pytest.raises(BadModel, match=complaint):
        warm_start(old, settings, source, source=source)


def test_a_network_with_pooling_or_gates_keeps_them(draw, checkpoint_of):
    old = checkpoint_of(draw(change(SMALL, pooling_every=1, squeeze=2), SHAPES))
    with pytest.raises(BadModel, match="cannot be removed"):
        warm_start(old, change(SMALL, squeeze=2), SHAPES)
    with pytest.raises(BadModel, match="squeeze = 2"):
        warm_start(old, change(SMALL, pooling_every=1), SHAPES)


def test_a_body_alone_fits_on_a_smaller_board(draw, checkpoint_of):
    shapes = Shapes(planes=(3, 2, 2), plane_scale=(1.0, 0.5, 0.1), num_actions=5)
    start = warm_start(checkpoint_of(draw(change(SMALL, heads="size-free"), SHAPES)), SMALL, shapes)
    body = {name: shape for name, shape in array_shapes(SMALL, shapes).items() if name.startswith(("stem", "block"))}
    assert start.carried >= sum(map(math.prod, body.values())) > 0


@pytest.mark.parametrize("changes", [{"heads": "size-free"}, {"hidden": 6}], ids=str)
def test_other_heads_get_random_weights_on_the_old_body(plain, changes):
    settings = change(SMALL, auxiliary=("reply",), **changes)
    start = warm_start(plain, settings, SHAPES)
    for name, array in start.arrays.items():
        assert (name in plain.arrays and np.array_equal(array, plain.arrays[name])) == (
            name.startswith(("stem", "blocks")) or "convolution" in name
        ), name


def test_a_frozen_body_stays_as_it_is_while_heads_learn(plain):
    network = network_of(plain)
    network.train_heads()
    before = {name: tensor.clone() for name, tensor in network.state_dict().items()}
    optimiser = torch.optim.SGD([p for p in network.parameters() if p.requires_grad], lr=0.1)
    policy, outcome = network(torch.from_numpy(planes_of(SHAPES)))
    (policy.square().mean() + outcome.square().mean()).backward()
    optimiser.step()
    for name, tensor in network.state_dict().items():
        assert torch.equal(tensor, before[name]) == name.startswith(("stem", "blocks")), name
    body = [*network.stem.parameters(), *network.blocks.parameters()]
    assert {id(p) for p in body} == {id(p) for p in network.parameters() if not p.requires_grad}


def test_grafts_have_zero_weights_from_silent_inputs_to_old_outputs():
    old, fresh = np.arange(1.0, 5.0).reshape(2, 2), np.full((3, 4), 9.0)
    found = graft(old, fresh, [Axis(np.array([2, 0]), 3), first(2, 4)])
    assert found.tolist() == [[3, 4, 0, 0], [9, 9, 9, 9], [1, 2, 0, 0]]
    heard = graft(old, fresh, [Axis(np.array([2, 0]), 3), Axis(np.arange(1, 3), 4, is_silent=False)])
    assert heard.tolist() == [[9, 3, 4, 9], [9, 9, 9, 9], [9, 1, 2, 9]]
