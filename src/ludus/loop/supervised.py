"""Supervised start: trains a network on game records before it plays any game itself.

The state of an interrupted training is stored in `unfinished_file` until the model is written.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
import numpy as np

from ludus.arena.match import MatchPlayer
from ludus.errors import BadInput, BadPreset
from ludus.learner.losses import Losses
from ludus.learner.train import Learner
from ludus.loop.directory.sealed import read_sealed, write_sealed
from ludus.loop.game_records.endings import with_ends
from ludus.loop.game_records.readers import read_records
from ludus.loop.game_records.replayed import OnFault
from ludus.loop.preset import Preset
from ludus.loop.stages.start import grown_start, info_of
from ludus.network.checkpoint import Checkpoint, digest_of, save_checkpoint
from ludus.store import Window

PORTIONS = 20  # number of parts of the training; each is reported and saved


def unfinished_file(out: Path) -> Path:
    """Return the file with the state of an unfinished training whose model will be `out`."""
    return out.with_suffix(".unfinished")


def learn_from(  # noqa: PLR0913 - a training, each part named by the caller
    preset: Preset,
    records: Sequence[Path],
    out: Path,
    *,
    start: Path | None = None,
    passes: float,
    threads: int = 0,
    play_on: MatchPlayer | None = None,
    on_portion: Callable[[int, int, Losses], object] = lambda _done, _all, _losses: None,
    on_continue: Callable[[int, int], object] = lambda _done, _all: None,
    on_fault: OnFault = lambda _fault: None,
) -> None:
    """Train the preset's network on recorded games and save the model; continue an interrupted training.

    Args:
        preset: games, network and learner settings; the cosine schedule spans this training instead of a run.
        records: files of games.
        out: the model to write.
        start: a model that initialises the network. Of the preset's settings of a start model, only `start_offset`
            applies, and only if the model's board is smaller.
        passes: number of times that each position is used.
        threads: CPU threads (0: torch's default).
        play_on: plays unfinished games to the end for the head `maps` (default: the game's heuristic).
        on_portion: called with (steps done, all steps, losses of the part); the last part includes validation losses.
        on_continue: called with (steps done, all steps) if an interrupted training is continued.
        on_fault: called with a description of each game or file that is skipped.

    Raises:
        BadInput: a file holds other games; every game is held out for validation; or an unfinished training
            with other games or settings is stored beside `out`.
        BadRecord: a file is damaged.
        BadModel: `start` is missing, or cannot become the preset's network.
        BadPreset: the preset's games cannot share a network, its learning rate follows the generations of a run, its
            network has no head `maps` for which to play games on, or the training diverged.
        Unavailable: the disk cannot be written.
    """
    if preset.learner.schedule == "plateau":
        raise BadPreset(
            f'{preset.name}: learner.schedule = "plateau" needs several generations, but learn-from has one; '
            "use cosine."
        )
    if play_on and "maps" not in preset.network.auxiliary:
        raise BadPreset(
            f'{preset.name}: games are played on only for the head of final maps; add auxiliary = ["maps"] under '
            "[network], or do not play on."
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
            taught = ("states", "action", "outcome", "root_value", "root_draw")
            task.update(digest_of({name: getattr(samples, name) for name in taught}))
            samples = with_ends(samples, games, play_on) if "maps" in preset.network.auxiliary else samples
            if play_on:
                task.update(samples.action.tobytes())
            window.extend(samples)
    if not window.weights().any():
        raise BadInput("All games are held out for validation: give more games, or set learner.validation to 0.")
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
    """Restore an interrupted training; return its number of steps, 0 if there is none."""
    state = read_sealed(file)
    if state is None:
        return 0
    if state.pop("task", np.zeros(0, np.uint8)).tobytes() != task:
        raise BadInput(
            f"{file}: holds an unfinished training with other games or settings; repeat it with those to "
            "finish it, or delete the file to start over."
        )
    done, window.order = int(state.pop("done")[0]), state.pop("order")
    learner.restore(state)
    return done
