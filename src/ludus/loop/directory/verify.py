"""Verification of a run's directory: reads every file and reports faults."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator
from pathlib import Path
from typing import TypeVar

import numpy as np

from ludus.errors import BadModel, LudusError
from ludus.games.behaviour import behaviour
from ludus.games.registry import game as find_game
from ludus.loop.directory.folder import Folder
from ludus.loop.directory.journal import read_journal
from ludus.loop.directory.lines import GenerationMetrics
from ludus.loop.preset import Preset
from ludus.network.checkpoint import load_checkpoint, weights_fingerprint
from ludus.store import Samples, all_shards, read_shard, shard_path

T = TypeVar("T")


def verify(folder: Folder) -> list[str]:
    """Return a description of each damaged, missing or duplicate file or record; a running training is not verified."""
    if folder.is_training():  # its files change during the check
        return [f"{folder.path}: another process is training here; verify the run after that has ended."]
    faults: list[str] = []
    preset, lines = tried(folder.preset, faults), tried(folder.metrics, faults)
    rules = tried(lambda: behaviour(find_game(preset.games[0])), faults) if preset else None
    if not (folder.path / "preset.toml").is_file() and (any(folder.path.glob("*.jsonl")) or folder.shards.is_dir()):
        faults.append(f"{folder.path}: preset.toml is missing.")
    tried(folder.history, faults)
    matches = tried(folder.matches, faults) or []
    for (a, b, _), count in Counter((match.a, match.b, match.sequential) for match in matches).items():
        if count > 1:
            faults.append(f"matches.jsonl: {a} met {b} {count} times.")
    faults += _shard_faults(folder, preset, rules, lines or [])
    faults += _model_faults(folder, lines or [])
    tried(lambda: faults.extend(_learner_faults(folder, lines)), faults)
    tried(lambda: faults.extend(_journal_faults(folder)), faults)
    return faults


def tried(read: Callable[[], T], faults: list[str]) -> T | None:
    """Return the result of `read`; on an error, append its text to `faults` and return None."""
    try:
        return read()
    except LudusError as error:
        faults.append(str(error))
        return None


def _shard_faults(
    folder: Folder, preset: Preset | None, rules: str | None, lines: list[GenerationMetrics]
) -> Generator[str]:
    shards: dict[int, list[Path]] = {}
    for generation, path in all_shards(folder.shards):
        shards.setdefault(generation, []).append(path)
    for generation, paths in shards.items():
        faults: list[str] = []
        found = [tried(lambda path=path: read_shard(path, rules_key=rules), faults) for path in paths]
        yield from faults
        whole = [samples for samples in found if samples is not None]
        if len(whole) == len(paths):  # damaged shards cannot be counted
            wanted = preset.selfplay.num_games(generation) if preset else None
            told = lines[generation].facts.positions if generation < len(lines) else None
            yield from _count_faults(", ".join(map(str, paths)), whole, wanted, told)
    for line in lines:
        if line.generation not in shards:
            yield f"{shard_path(folder.shards, line.generation, 0)}: is missing."


def _count_faults(place: str, shards: list[Samples], games: int | None, positions: int | None) -> Generator[str]:
    """Compare the contents of a generation's shards with the expected counts; None: unknown."""
    numbers = np.concatenate([samples.game_id for samples in shards])
    changes = np.flatnonzero(np.diff(numbers)) + 1
    found = numbers[np.concatenate([[0], changes])] if len(numbers) else numbers
    if games is not None and found.tolist() != list(range(games)):
        yield f"{place}: game numbers are not 0 to {games - 1}, each once."
    if positions is not None and positions != len(numbers):
        yield f"{place}: {len(numbers)} positions, but metrics.jsonl states {positions}."


def _model_faults(folder: Folder, lines: list[GenerationMetrics]) -> Generator[str]:
    found: dict[Path, str] = {}
    for path in sorted((folder.path / "models").glob("*.safetensors")):
        try:
            found[path] = weights_fingerprint(load_checkpoint(path))
        except BadModel as error:
            yield str(error)
    for line in lines:
        path = folder.model(line.generation)
        if line.weights and found.get(path, line.weights) != line.weights:
            yield f"{path}: the weights differ from those in metrics.jsonl."
        if not path.is_file():
            yield f"{path}: is missing."


def _learner_faults(folder: Folder, lines: list[GenerationMetrics] | None) -> Generator[str]:
    kept = folder.load_learner()
    if lines is not None and (kept.generation if kept else -1) not in (len(lines) - 1, len(lines)):
        yield "learner.safetensors: does not match the last generation in metrics.jsonl."


def _journal_faults(folder: Folder) -> Generator[str]:
    numbers = [int(game.game_id[0]) for game in read_journal(folder.journal).games]
    if len(set(numbers)) < len(numbers):
        yield "games.journal: contains a game twice."
