"""The second stage of a generation: learning on the window, whose end is a model and the learner's state."""

from __future__ import annotations

from ludus.errors import BadRecord
from ludus.learner.losses import Losses
from ludus.learner.train import Learner
from ludus.loop.stage import Stage
from ludus.loop.start import grown_start, info_of
from ludus.network.checkpoint import Checkpoint, load_checkpoint, save_checkpoint
from ludus.store import read_shard, window_shards


def learn(stage: Stage, generation: int, new_positions: int) -> Losses:
    """Train the network of a generation, unless that was done before an interruption.

    Args:
        stage: the run.
        generation: which one; its shard is complete.
        new_positions: in that shard.

    Raises:
        BadRecord: a file of the run is damaged or missing.
        BadPreset: the training diverged.
        Unavailable: the disk refuses.
    """
    preset, folder = stage.preset, stage.folder
    settings = preset.learner
    learner = Learner(stage.games, preset.network, settings, preset.seed, threads=stage.workers)
    kept = folder.load_learner()
    last = kept.generation if kept else -1
    if last not in (generation - 1, generation):
        raise BadRecord(
            f"{folder.path}: metrics.jsonl ends before generation {generation}, but learner.safetensors is of "
            f"generation {last}; restore both from one backup or start anew."
        )
    if kept and last == generation:  # learned before an interruption
        return kept.losses
    ancestors: tuple[str, ...] = ()
    if kept:
        learner.restore(kept.arrays)
        ancestors = load_checkpoint(folder.model(last)).info.ancestors if preset.start else ()
    elif preset.start:
        start = grown_start(stage)
        learner.begin(start.arrays)
        ancestors = start.info.ancestors
    window = learner.window()
    for path in window_shards(folder.shards, generation, settings.window):
        window.extend(read_shard(path, rules_key=stage.rules))
    losses = learner.learn(
        window,
        steps=learner.steps_for(new_positions),
        progress=stage.progress(generation),
        seed=stage.seed(generation),
        heads_only=generation < preset.network.frozen_generations,
        on_step=lambda done, total: stage.tell(generation, "learning", done, total),
    )
    info = info_of(preset, stage.games, generation, ancestors)
    save_checkpoint(folder.model(generation), Checkpoint(info, learner.arrays()))
    folder.save_learner(learner.state(), generation, losses)
    return losses
