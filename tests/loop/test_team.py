"""Processes that learn together take the same steps as one process, and a run survives the death of one."""

import multiprocessing
import os
import signal
from pathlib import Path

import msgspec
import numpy as np
import pytest
import torch

import ludus
from ludus.errors import BadPreset, Unavailable
from ludus.learner.settings import LearnerSettings
from ludus.learner.team import Team, joined, team_size
from ludus.learner.train import Learner
from ludus.loop.directory.folder import Folder
from ludus.loop.processes import WorkerProcesses
from ludus.loop.run import Run, RunProgress
from ludus.network.blocks import MaskedNorm
from ludus.network.config import NetworkSettings
from ludus.store import read_shard, shard_path

NETWORK = NetworkSettings(blocks=1, channels=8, head_channels=4, auxiliary=("reply", "moves_left"))
PRECISE = {"batch": 32, "precision": "f32"}  # in bf16, halves of a batch are rounded differently
KINDS = {
    "adamw": PRECISE | {"warm_up": 100},
    "sgd": PRECISE | {"optimiser": "sgd", "decay": "l2", "schedule": "plateau", "plateau_patience": 1, "warm_up": 0},
    "validated": PRECISE | {"validation": 0.3, "warm_up": 100},
}


@pytest.fixture(autouse=True)
def findable(monkeypatch):
    """Make this file importable in worker processes."""
    monkeypatch.syspath_prepend(Path(__file__).parents[2])


@pytest.fixture(scope="module")
def shard(tiny, tmp_path_factory):
    """Return a shard of tic-tac-toe in which some positions have no policy target."""
    path = tmp_path_factory.mktemp("games")
    Run(msgspec.structs.replace(tiny, generations=1), path).go()
    return shard_path(path / "shards", 0, 0)


def learned(settings, shard, steps, *, heads_only, team=None):
    """Return the learner's state and losses after some steps on a shard."""
    pupil = Learner([ludus.game("tictactoe")], NETWORK, settings, 3, threads=1, team=team)
    window = pupil.window()
    window.extend(read_shard(shard))
    losses = [pupil.learn(window, steps=steps, progress=0.1, seed=seed, heads_only=heads_only) for seed in (1, 2)]
    return pupil.state(), losses


def normalised(x, mask, total=None):
    """Return output, gradients and statistics of a normalisation layer for a masked batch."""
    layer = MaskedNorm(x.shape[1])
    layer.total = total
    x.requires_grad_(True)
    y = layer(x, mask)
    (y.square() * torch.arange(1.0, 4.0).reshape(1, 3, 1, 1) * y).sum().backward()
    return [each.detach().numpy() for each in (y, x.grad, layer.running_mean, layer.running_var)]


def batch_of_boards():
    """Return x [8, 3, 4, 4] and masks [8, 1, 4, 4] of boards of several sizes."""
    rng = np.random.default_rng(0)
    mask = np.zeros((8, 1, 4, 4), np.float32)
    for row, size in enumerate(rng.integers(2, 5, 8)):
        mask[row, 0, :size, :size] = 1.0
    return torch.from_numpy(rng.normal(1.0, 2.0, (8, 3, 4, 4)).astype(np.float32)), torch.from_numpy(mask)


def take_part(line, number, meeting, shard):
    """Train as one of two processes with several settings, and send the results."""
    torch.set_num_threads(1)
    with joined(number, 2, meeting) as team:
        for kind, changes in KINDS.items():
            line.say((kind, learned(LearnerSettings(**changes), shard, 1, heads_only=False, team=team)))
        for attempt in range(2):
            line.say((attempt, learned(LearnerSettings(batch=32), shard, 6, heads_only=True, team=team)[0]))
        x, mask = batch_of_boards()
        line.say(("plain", normalised(x[number::2].clone(), None, team.total)))
        line.say(("masked", normalised(x[number::2].clone(), mask[number::2].clone(), team.total)))


@pytest.fixture(scope="module")
def said(shard, tmp_path_factory):
    """Return the messages of two processes that trained together, by member and kind."""
    meeting = tmp_path_factory.mktemp("place") / "meeting"
    found = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(Path(__file__).parents[2])
        with WorkerProcesses("learning", take_part, [(0, meeting, shard), (1, meeting, shard)]) as processes:
            while processes.is_working:
                found |= {(number, kind): what for number, (kind, what) in processes.hear(1.0)}
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_a_step_of_two_processes_equals_one_process_s_step(said, shard, kind):
    state, losses = learned(LearnerSettings(**KINDS[kind]), shard, 1, heads_only=False)
    theirs, their_losses = said[0, kind]
    assert theirs.keys() == state.keys()
    for name, array in state.items():  # adamw magnifies rounding errors; its moments show the gradients
        close = 1e-5 if kind == "sgd" else 1e-4 if name.startswith("optimiser/") else 1e-3
        np.testing.assert_allclose(theirs[name], array, rtol=1e-3, atol=close, err_msg=name)
    for one, other in zip(losses, their_losses, strict=True):
        for field in ("policy", "outcome", "gradient_norm", "value_mean"):
            assert getattr(other, field) == pytest.approx(getattr(one, field), rel=1e-3, abs=1e-5), field
        if kind == "validated":
            assert other.validation_policy == pytest.approx(one.validation_policy, rel=1e-3)
        else:
            assert one.validation_policy is other.validation_policy is None
        assert other.auxiliary == pytest.approx(one.auxiliary, rel=1e-3)


@pytest.mark.parametrize("kind", KINDS)
def test_all_members_move_the_same_weights_alike(said, kind):
    first, second = said[0, kind][0], said[1, kind][0]
    for name in first:
        assert first[name].tobytes() == second[name].tobytes(), name


def test_the_same_seed_gives_the_same_bytes(said):
    for name, array in said[0, 0].items():
        assert array.tobytes() == said[0, 1][name].tobytes(), name


@pytest.mark.parametrize("kind", ["plain", "masked"])
def test_normalisation_sees_the_whole_batch(said, kind):
    x, mask = batch_of_boards()
    whole = normalised(x, mask if kind == "masked" else None)
    for number in (0, 1):
        y, slope, average, variance = said[number, kind]
        np.testing.assert_allclose(y, whole[0][number::2], rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(slope, whole[1][number::2], rtol=1e-3, atol=1e-3)
        np.testing.assert_allclose(average, whole[2], rtol=1e-5)
        np.testing.assert_allclose(variance, whole[3], rtol=1e-5)


@pytest.mark.full
def test_a_run_continues_after_one_of_two_processes_was_killed(tiny, tmp_path):
    one = msgspec.structs.replace(tiny, generations=1)
    two = msgspec.structs.replace(one, learner=msgspec.structs.replace(one.learner, processes=2))

    def kill(event):
        if isinstance(event, RunProgress) and event.stage == "learning":
            for member in multiprocessing.active_children():
                if member.name == "learning-1":
                    os.kill(member.pid, signal.SIGKILL)

    with pytest.raises(Unavailable, match=r"^Process 2 of 2 of the learning has ended \(it died by SIGKILL\)"):
        Run(two, tmp_path / "two", kill).go()
    assert not multiprocessing.active_children()
    assert Folder(tmp_path / "two").metrics() == []
    Run(two, tmp_path / "two").go()
    Run(one, tmp_path / "one").go()
    ours, theirs = (Folder(tmp_path / name).metrics()[0] for name in ("two", "one"))
    assert ours.facts == theirs.facts
    assert ours.losses.steps == theirs.losses.steps
    assert ours.losses.policy == pytest.approx(theirs.losses.policy, rel=1e-3)
    assert ours.losses.outcome == pytest.approx(theirs.losses.outcome, rel=1e-3)


def test_a_batch_that_cannot_be_shared_is_refused():
    with pytest.raises(ValueError, match="divide batch"):
        LearnerSettings(batch=32, processes=3)
    settings = LearnerSettings(batch=33, processes=0)
    with pytest.raises(BadPreset, match=r"learner\.batch is 33, which 2 processes"):
        Learner([ludus.game("tictactoe")], NETWORK, settings, 0, threads=1, team=Team(0, 2))


def test_a_team_is_as_large_as_the_settings_and_the_gpus_say(monkeypatch):
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 0)
    assert team_size(LearnerSettings(processes=0)) == 1
    assert team_size(LearnerSettings(batch=30, processes=3)) == 3
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    assert team_size(LearnerSettings(processes=0)) == 2
    with pytest.raises(Unavailable, match="but this machine has 2; lower it"):
        team_size(LearnerSettings(batch=30, processes=3))
