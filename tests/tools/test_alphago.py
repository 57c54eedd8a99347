"""The experiments with AlphaGo's parts: policy gradient against older versions, and rollouts mixed into values."""

import json
import sys
from dataclasses import replace

import numpy as np
import pytest
import torch

import ludus
from ludus.games.behaviour import behaviour
from ludus.loop.preset import MatchSettings, Preset
from ludus.loop.run import Run
from ludus.network.checkpoint import load_checkpoint
from ludus.network.config import NetworkSettings, Shapes
from ludus.network.model import Network
from ludus.selfplay.settings import SelfplaySettings
from ludus.store import Samples, read_shard

GAME = ludus.game("tictactoe")
WINS_NEXT = [0, 3, 1, 4]  # X X . / O O . / . . .


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Return the directory of a tiny run."""
    place = tmp_path_factory.mktemp("alphago") / "run"
    preset = Preset(
        name="tiny",
        games=["tictactoe"],
        generations=1,
        network=NetworkSettings(blocks=1, channels=8, head_channels=4),
        selfplay=SelfplaySettings(games=60, visits=10, full_share=1.0, parallel=8),
        match=MatchSettings(pairs=0),
    )
    Run(preset, place, workers=1).go()
    return place


def command(program, monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", [program.__name__, *map(str, arguments)])
    program.main()


def test_games_of_two_networks_are_legal_and_are_scored_for_the_first(load_program):
    program = load_program("bench/alphago/policy_gradient.py")
    torch.manual_seed(0)
    network, opponent = (Network(NetworkSettings(blocks=0, channels=8, head_channels=4), Shapes.of(GAME)) for _ in "ab")
    played = program.play(GAME, network.eval(), opponent.eval(), 40)
    assert len(played.planes) == len(played.actions) == len(played.results)
    assert played.legal[torch.arange(len(played.actions)), played.actions].all()
    assert set(played.results.tolist()) <= {-1.0, 0.0, 1.0}
    discs = played.planes[:, :2].sum((1, 2, 3))  # before each of the network's moves
    assert (discs[:20] == 0).all(), "in half of the games the network begins"
    assert 20 < (discs < 2).sum() <= 40


def test_the_gradient_changes_the_policy_and_keeps_the_values(load_program, monkeypatch, run, tmp_path, capsys):
    program = load_program("bench/alphago/policy_gradient.py")
    command(program, monkeypatch, run, "--steps", "2", "--games", "8", "--out", tmp_path / "improved.safetensors")
    *steps, last = map(json.loads, capsys.readouterr().out.splitlines())
    assert [each["step"] for each in steps] == [1, 2]
    assert 0.3 < last["against_the_first"] < 0.7, "two small steps hardly change its play"
    before, after = (
        load_checkpoint(run / "models/gen-0000.safetensors"),
        load_checkpoint(tmp_path / "improved.safetensors"),
    )
    same = {name: np.array_equal(before.arrays[name], after.arrays[name]) for name in before.arrays}
    assert not same["policy.linear.weight"]
    assert same["outcome.linear.weight"]


def test_a_fast_policy_learns_the_moves_of_its_games(load_program, run):
    program = load_program("bench/alphago/rollouts.py")
    (path,) = (run / "shards").glob("*")
    samples = Samples.concatenate([read_shard(path, rules_key=behaviour(GAME))] * 30)
    planes, legal, _ = program.Boards(GAME, samples.states).look(np.arange(len(samples)))
    first = legal.int().argmax(1).numpy().astype(np.int16)  # games in which everybody plays the first empty cell
    fast = program.learn_fast_policy(GAME, replace(samples, action=first))
    chosen = fast(planes.flatten(1)).masked_fill(~legal, -torch.inf).argmax(1).numpy()
    assert (chosen == first).mean() > 0.9


def test_rollouts_count_as_much_as_they_are_mixed(load_program, flat_model):
    program = load_program("bench/alphago/rollouts.py")
    won = GAME.start()
    for action in WINS_NEXT:
        won = won.play(action)
    network, words = program.network_of(flat_model("tictactoe")), won.state.view(np.uint64)[None]
    fast = torch.nn.Linear(int(np.prod(GAME.planes)), 9)
    with torch.no_grad():
        fast.weight.zero_()
        fast.bias.copy_(torch.tensor([0.0, 0.0, 50.0] + [0.0] * 6))  # always the winning cell
    alone = program.MixedEvaluator(network, fast, 0.0).evaluate_states(GAME, words)[1]
    mixed = program.MixedEvaluator(network, fast, 0.25).evaluate_states(GAME, words)[1]
    np.testing.assert_allclose(mixed, 0.75 * alone + 0.25 * np.array([[1.0, 0.0, 0.0]]), rtol=1e-6)
