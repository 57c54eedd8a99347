"""Faults planted in the learner raise their alarms within the first generations; a run without faults raises none."""

import shutil

import msgspec
import numpy as np
import pytest
import torch

from ludus.learner import train
from ludus.learner.batch import Drawer
from ludus.learner.settings import LearnerSettings
from ludus.loop.directory.folder import Folder
from ludus.loop.run import Run
from ludus.network.config import NetworkSettings
from ludus.network.model import Network
from ludus.selfplay.settings import SelfplaySettings
from ludus.store import shard_path

LEARNING = {"policy", "frozen", "value", "value-turned", "one-side", "loss", "gradients", "entropy"}


@pytest.fixture(scope="module")
def preset(tiny):
    """Return two generations of tic-tac-toe from which a small network learns."""
    return msgspec.structs.replace(
        tiny,
        network=NetworkSettings(blocks=1, channels=16, head_channels=8),
        selfplay=SelfplaySettings(games=150, first_games=300, parallel=50, visits=30, full_share=1.0),
        learner=LearnerSettings(batch=128, max_steps=80, learning_rate=5e-3, passes=8.0),
        match=msgspec.structs.replace(tiny.match, pairs=0),
    )


@pytest.fixture(scope="module")
def honest(preset, tmp_path_factory):
    """Return the directory of a run without a fault."""
    path = tmp_path_factory.mktemp("honest")
    Run(preset, path / "run").go()
    return path / "run"


@pytest.fixture
def kinds_of(preset, honest, tmp_path):
    """Return a function that trains on the games of the honest run and returns the raised alarms."""

    def kinds_of():
        shards = tmp_path / "run" / "shards"
        shards.mkdir(parents=True)
        shutil.copy(shard_path(honest / "shards", 0, 0), shards)
        run = Run(preset, tmp_path / "run")
        run.go()
        return {alarm.kind for line in run.folder.metrics() for alarm in line.alarms}

    return kinds_of


def drawn_with(monkeypatch, change):
    """Make `change(batch)` modify every batch that is drawn, in place."""
    real = Drawer.draw

    def draw(self, places, rng, **share):
        batch = real(self, places, rng, **share)
        change(batch)
        return batch

    monkeypatch.setattr(Drawer, "draw", draw)


def test_an_honest_run_raises_no_alarm_about_learning(honest):
    lines = Folder(honest).metrics()
    assert len(lines) == 2
    for line in lines:
        assert not LEARNING & {alarm.kind for alarm in line.alarms}, line.probe
        assert min(side.policy_gain for side in line.probe.sides) > 0.1
        assert min(side.value_agreement for side in line.probe.sides) > 0.1
        assert min(side.legal_weight for side in line.probe.sides) == pytest.approx(1.0, abs=1e-5)


def test_a_loss_of_the_wrong_sign_is_noticed(kinds_of, monkeypatch):
    real = train.total
    monkeypatch.setattr(train, "total", lambda losses, weights: -real(losses, weights))
    assert "policy" in kinds_of()


def test_value_targets_of_the_wrong_player_are_noticed(kinds_of, monkeypatch):
    def turn(batch):
        batch.outcome[:] = batch.outcome[:, ::-1].copy()

    drawn_with(monkeypatch, turn)
    assert "value-turned" in kinds_of()


@pytest.mark.parametrize("how", ["weights", "gradient"])
def test_a_frozen_policy_head_is_noticed(kinds_of, monkeypatch, how):
    if how == "weights":
        real = Network.train

        def frozen(self, mode=True):
            self.policy.requires_grad_(False)
            return real(self, mode)

        monkeypatch.setattr(Network, "train", frozen)
    else:
        losses_of = train.losses_of

        def cut(*given):
            losses = losses_of(*given)
            return losses | {"policy": torch.as_tensor(losses["policy"].detach())}

        monkeypatch.setattr(train, "losses_of", cut)
    assert "frozen" in kinds_of()


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("what", ["policy", "planes", "outcome"])
def test_corrupted_data_of_one_player_is_noticed(kinds_of, monkeypatch, what, player):
    rng = np.random.default_rng(0)

    def corrupt(batch):
        own = np.flatnonzero(batch.mover == player)
        if what == "policy":
            batch.policy[own] = batch.policy[rng.permutation(own)]
        elif what == "planes":
            batch.planes[own] = batch.planes[rng.permutation(own)]
        else:
            batch.outcome[own] = batch.outcome[own][:, ::-1].copy()

    drawn_with(monkeypatch, corrupt)
    assert "one-side" in kinds_of()
