"""A member of a cluster plays the games that it is dealt, with the data that it was sent; without Ray."""

import tempfile

import msgspec
import numpy as np

import ludus
from ludus.games.behaviour import behaviour
from ludus.loop.distributed.member import Member
from ludus.loop.distributed.messages import JoinOrder, Weights
from ludus.loop.stages.stage import Order
from ludus.loop.stages.start import info_of
from ludus.network.checkpoint import Checkpoint, array_shapes, save_checkpoint
from ludus.network.config import Shapes
from ludus.selfplay.openings import Openings
from ludus.store import Samples
from ludus.store.samples import DTYPES


def opening(game, actions):
    """Return openings with only the position after the given actions."""
    state = game.start_state()
    for action in actions:
        game.rules.play(state, action)
    arrays = {name: np.zeros(1, dtype) for name, dtype in DTYPES.items()}
    arrays |= {"states": state.view(np.uint64).reshape(1, -1), "policy_start": np.zeros(2, np.int32)}
    arrays |= {"policy_action": np.zeros(0, np.int16), "policy_weight": np.zeros(0, np.float32)}
    return Openings(Samples(**arrays | {"ply": np.array([len(actions)], np.int16)}), [game.max_actions])


def test_games_begin_at_the_openings_that_were_sent_and_counts_come_with_them(tiny):
    selfplay = msgspec.structs.replace(tiny.selfplay, opening_share=1.0)
    preset = msgspec.structs.replace(
        tiny, first_teacher="uniform", selfplay=selfplay, openings_from=("nowhere/of-the-run.jsonl",)
    )
    game, member = preset.make_games()[0], Member()
    assert member.version() == ludus.__version__
    begins = opening(game, [0, 4])
    assert member.join(JoinOrder(preset, 1, {}), begins) == [behaviour(game)]
    member.begin(Order(0, 9, [], 5), None)
    turn = member.play([2, 5, 8], 10.0, None)
    games = list(turn.games)
    while len(games) < 3:
        turn = member.play([], 10.0, None)
        games += turn.games
    assert sorted(int(each.game_id[0]) for each in games) == [2, 5, 8]
    for each in games:
        assert int(each.ply[0]) == 2
        assert each.states[0].tobytes() == begins.draw(0, np.random.default_rng(1))[0].tobytes()
    (before,) = turn.reports
    (after,) = member.end()
    assert 0 < before.counters["simulations"] <= after.counters["simulations"]
    assert 0 < before.rows <= after.rows


def test_networks_that_were_sent_do_not_stay_on_the_disk(tiny, tmp_path, monkeypatch):
    games, file, member = tiny.make_games(), tmp_path / "network.safetensors", Member()
    shapes = array_shapes(tiny.network, Shapes.of(games[0]))
    arrays = {name: np.ones(shape, np.float32) for name, shape in shapes.items()}
    save_checkpoint(file, Checkpoint(info_of(tiny, games, 3), arrays))
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    assert member._checkpoint(Weights(file.read_bytes(), 3)).info.generation == 3
    assert list((tmp_path / "temporary").iterdir()) == []
