"""The learning stage of a generation: trains on the window, then saves the model and the learner's state."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from ludus.errors import BadPreset, BadRecord
from ludus.learner.losses import Losses
from ludus.learner.team import Team, joined, team_size
from ludus.learner.train import Learner
from ludus.loop.directory.folder import Folder
from ludus.loop.preset import Preset
from ludus.loop.processes import ParentConnection, WorkerProcesses
from ludus.loop.stages.stage import RunProgress, Stage
from ludus.loop.stages.start import grown_start, info_of
from ludus.network.checkpoint import Checkpoint, load_checkpoint, save_checkpoint
from ludus.store import read_shard, window_shards

HEARD_S = 0.5  # limit of each wait for other processes, after which Ctrl-C takes effect


def learn(stage: Stage, generation: int, new_positions: float) -> Losses:
    """Train the network of a generation; an already trained generation only returns its losses.

    Args:
        stage: the run.
        generation: the number of the generation; its shard is complete.
        new_positions: sum of the sample weights in that shard.

    Raises:
        BadRecord: a file of the run is damaged or missing.
        BadPreset: the training diverged, or all games are held out for validation.
        Unavailable: the disk cannot be written, or a process of the team died.
    """
    size = team_size(stage.preset.learner)
    if size == 1:
        return _learn(stage, generation, new_positions, Team())
    losses: Losses | None = None
    with TemporaryDirectory() as place:
        own = (stage.preset, stage.folder.path, max(1, stage.workers // size), generation, new_positions)
        members = [(*own, number, size, Path(place) / "meeting") for number in range(size)]
        with WorkerProcesses("learning", _take_part, members) as processes:
            while processes.is_working:
                for _number, said in processes.hear(HEARD_S):
                    if isinstance(said, Losses):
                        losses = said
                    else:
                        stage.tell(*said)
    assert losses is not None, "the first process sends its losses before it ends"
    return losses


def _take_part(
    parent: ParentConnection,
    preset: Preset,
    directory: Path,
    threads: int,
    generation: int,
    new_positions: float,
    number: int,
    size: int,
    meeting: Path,
) -> None:
    """Run one of the processes that learn together; only the first reports progress and writes files."""

    def say(event: object) -> None:
        if number == 0 and isinstance(event, RunProgress):
            parent.say((event.generation, event.stage, event.done, event.total))

    stage = Stage(preset, Folder(directory), preset.make_games(), threads, say)
    with joined(number, size, meeting) as team:
        losses = _learn(stage, generation, new_positions, team)
    if number == 0:
        parent.say(losses)


def _learn(stage: Stage, generation: int, new_positions: float, team: Team) -> Losses:
    preset, folder = stage.preset, stage.folder
    settings = preset.learner
    learner = Learner(stage.games, preset.network, settings, preset.seed, threads=stage.workers, team=team)
    kept = folder.load_learner()
    last = kept.generation if kept else -1
    if last not in (generation - 1, generation):
        raise BadRecord(
            f"{folder.path}: metrics.jsonl ends before generation {generation}, but learner.safetensors is of "
            f"generation {last}; restore both from one backup or start a new run."
        )
    if kept and last == generation:  # trained before an interruption
        return kept.losses
    ancestors: tuple[str, ...] = ()
    if kept:
        learner.restore(kept.arrays)
        ancestors = load_checkpoint(folder.model(last)).info.ancestors if preset.start else ()
    elif preset.start:
        start = grown_start(preset, stage.games)
        learner.begin(start.arrays)
        ancestors = start.info.ancestors
    window = learner.window()
    for path in window_shards(folder.shards, generation, settings.window):
        window.extend(read_shard(path, rules_key=stage.rules))
    if not window.weights().any():
        raise BadPreset(
            f"{preset.name}: all games are held out for validation; start another run with more "
            "selfplay.games, or with learner.validation = 0."
        )
    losses = learner.learn(
        window,
        steps=learner.steps_for(new_positions),
        progress=stage.progress(generation),
        seed=stage.seed(generation),
        heads_only=generation < preset.network.frozen_generations,
        on_step=lambda done, total: stage.tell(generation, "learning", done, total),
    )
    if not team.is_first:
        return losses
    info = info_of(preset, stage.games, generation, ancestors)
    save_checkpoint(folder.model(generation), Checkpoint(info, learner.arrays()))
    folder.save_learner(learner.state(), generation, losses)
    return losses
