"""The supervised start: a network that learns from game records before it plays any game itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from ludus.errors import BadInput
from ludus.learner.losses import Losses
from ludus.learner.train import Learner
from ludus.loop.ending import with_ends
from ludus.loop.preset import Preset
from ludus.loop.readers import OnFault, read_records
from ludus.loop.start import info_of
from ludus.network.checkpoint import Checkpoint

PORTIONS = 20  # in which the steps are taken: the learning rate follows them, and each is reported


def learn_from(
    preset: Preset,
    records: Sequence[Path],
    *,
    passes: float,
    threads: int = 0,
    on_portion: Callable[[int, int, Losses], object] = lambda _done, _all, _losses: None,
    on_fault: OnFault = lambda _fault: None,
) -> Checkpoint:
    """Train the preset's network on games that others have played.

    Args:
        preset: which games, which network, and how it learns; its cosine spans these steps in place of a run's.
        records: files of games.
        passes: how often each position is used.
        threads: processor threads (0: as torch decides).
        on_portion: told (steps done, steps in all, losses of the portion); the last one has validated.
        on_fault: told of each game, or file of games, that nobody can learn from.

    Raises:
        BadInput: a file holds other games, or all games validate and none is left to train on.
        BadRecord: a file is damaged.
        BadPreset: the preset's games cannot share a network, or the training diverged.
    """
    games = preset.make_games()
    learner = Learner(games, preset.network, preset.learner, preset.seed, threads=threads)
    window = learner.window()
    for path in records:
        samples = read_records(path, games, on_fault)
        if len(samples):
            window.extend(with_ends(samples, games) if "maps" in preset.network.auxiliary else samples)
    if not window.weights().any():
        raise BadInput("No game is left to train on: give more games, or set learner.validation to 0.")
    steps = max(1, round(passes * float(window.weights().sum()) / preset.learner.batch))
    done = 0
    for portion in range(1, PORTIONS + 1):
        size = steps * portion // PORTIONS - done
        if size:
            losses = learner.learn(
                window,
                steps=size,
                progress=done / steps,
                seed=preset.seed * 10_000 + portion,
                done=done,
                of=steps,
            )
            done += size
            on_portion(done, steps, losses)
    return Checkpoint(info_of(preset, games, 0), learner.arrays())
