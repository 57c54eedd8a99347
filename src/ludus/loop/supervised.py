"""The supervised start: a network that learns from game records before it plays any game itself.

What an interrupted learning has reached lies in `unfinished_file` until the model is written.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import numpy as np

from ludus.errors import BadInput, BadPreset
from ludus.learner.losses import Losses
from ludus.learner.train import Learner
from ludus.loop.directory.sealed import read_sealed, write_sealed
from ludus.loop.game_records.endings import with_ends
from ludus.loop.game_records.readers import OnFault, read_records
from ludus.loop.preset import Preset
from ludus.loop.stages.start import grown_start, info_of
from ludus.network.checkpoint import Checkpoint, digest_of, save_checkpoint
from ludus.store import Window

PORTIONS = 20  # in which the steps are taken: the learning rate follows them, and each is reported


def unfinished_file(out: Path) -> Path:
    """Return where the learning that will write the model `out` keeps what it has reached."""
    return out.with_suffix(".unfinished")


def learn_from(
    preset: Preset,
    records: Sequence[Path],
    out: Path,
    *,
    start: Path | None = None,
    passes: float,
    threads: int = 0,
    on_portion: Callable[[int, int, Losses], object] = lambda _done, _all, _losses: None,
    on_continue: Callable[[int, int], object] = lambda _done, _all: None,
    on_fault: OnFault = lambda _fault: None,
) -> None:
    """Train the preset's network on games that others have played, and write it; after an interrupt, go on.

    Args:
        preset: which games, which network, and how it learns; its cosine spans these steps in place of a run's.
        records: files of games.
        out: the model to write.
        start: a model from which the network begins; of what the preset says of that, `start_offset` counts where its
            board is smaller, and the rest is for runs.
        passes: how often each position is used.
        threads: processor threads (0: as torch decides).
        on_portion: told (steps done, steps in all, losses of the portion); the last one has validated.
        on_continue: told the steps that are behind, if an interrupted learning goes on, and steps in all.
        on_fault: told of each game, or file of games, that nobody can learn from.

    Raises:
        BadInput: a file holds other games; all games validate and none is left to train on; or beside `out` lies an
            unfinished learning from other games or with other settings.
        BadRecord: a file is damaged.
        BadModel: `start` is missing, or cannot become the preset's network.
        BadPreset: the preset's games cannot share a network, its learning rate follows the generations of a run, or the
            training diverged.
        Unavailable: the disk refuses.
    """
    if preset.learner.schedule == "plateau":
        raise BadPreset(
            f'{preset.name}: learner.schedule = "plateau" waits for generations, and records are learned from in one; '
            "take cosine."
        )
    games = preset.make_games()
    learner = Learner(games, preset.network, preset.learner, preset.seed, threads=threads)
    window, task = learner.window(), hashlib.blake2b(digest_size=16)
    model = info_of(preset, games, 0)
    if start:
        grown = grown_start(preset, games, start)
        learner.begin(grown.arrays)
        model = grown.info
        task.update(digest_of(grown.arrays))
    for path in records:
        samples = read_records(path, games, on_fault)
        if len(samples):
            window.extend(with_ends(samples, games) if "maps" in preset.network.auxiliary else samples)
            taught = ("states", "action", "outcome", "root_value", "root_draw")
            task.update(digest_of({name: getattr(samples, name) for name in taught}))
    if not window.weights().any():
        raise BadInput("No game is left to train on: give more games, or set learner.validation to 0.")
    steps = max(1, round(passes * float(window.weights().sum()) / preset.learner.batch))
    task.update(msgspec.json.encode((model, preset.learner, preset.seed, steps)))
    done = _continued(unfinished_file(out), learner, window, task.digest())
    if done:
        on_continue(done, steps)
    for portion in range(1, PORTIONS + 1):
        size = steps * portion // PORTIONS - done
        if size > 0:
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
            where = {"task": np.frombuffer(task.digest(), np.uint8), "done": np.array([done]), "order": window.order}
            write_sealed(unfinished_file(out), {**learner.state(), **where})
    save_checkpoint(out, Checkpoint(model, learner.arrays()))
    unfinished_file(out).unlink(missing_ok=True)


def _continued(file: Path, learner: Learner, window: Window, task: bytes) -> int:
    """Restore what an interrupted learning has reached; return its steps, 0 if there was none."""
    state = read_sealed(file)
    if state is None:
        return 0
    if state.pop("task", np.zeros(0, np.uint8)).tobytes() != task:
        raise BadInput(
            f"{file}: holds an unfinished learning from other games or with other settings; give these again to "
            "finish it, or delete the file to begin anew."
        )
    done, window.order = int(state.pop("done")[0]), state.pop("order")
    learner.restore(state)
    return done
