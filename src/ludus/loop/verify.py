"""Looks at every byte of a run's directory, and says what is wrong with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from pathlib import Path

import numpy as np

from ludus.errors import BadModel, LudusError
from ludus.games.behaviour import behaviour
from ludus.games.registry import game as find_game
from ludus.loop.folder import Folder
from ludus.loop.journal import read_journal
from ludus.loop.preset import Preset
from ludus.loop.records import Metrics
from ludus.network.checkpoint import load_checkpoint, weights_fingerprint
from ludus.store import read_shard, shard_path


def verify(folder: Folder) -> list[str]:
    """Return a sentence for each thing that is damaged, missing, or there twice; nobody may be training there."""
    try:
        return list(_faults(folder))
    except LudusError as error:
        return [str(error)]


def _faults(folder: Folder) -> Generator[str]:
    preset = folder.preset()
    if preset is None:
        if any(folder.path.glob("*.jsonl")) or folder.shards.is_dir():
            yield f"{folder.path}: preset.toml is missing."
        return
    lines = folder.metrics()
    folder.history()
    for (a, b), count in Counter((match.a, match.b) for match in folder.matches()).items():
        if count > 1:
            yield f"matches.jsonl: {a} met {b} {count} times."
    rules = behaviour(find_game(preset.games[0]))
    for path in sorted(folder.shards.glob("*.shard")):
        yield from _shard_faults(folder, preset, rules, int(path.name[4:8]), lines)
    yield from _model_faults(folder, lines)
    for line in lines:
        if not shard_path(folder.shards, line.generation, 0).is_file():
            yield f"{shard_path(folder.shards, line.generation, 0)}: is missing."
    kept = folder.load_learner()
    if (kept.generation if kept else -1) not in (len(lines) - 1, len(lines)):
        yield "learner.safetensors: is of another generation than metrics.jsonl."
    numbers = [int(game.game_id[0]) for game in read_journal(folder.journal).games]
    if len(set(numbers)) < len(numbers):
        yield "games.journal: holds a game twice."


def _shard_faults(folder: Folder, preset: Preset, rules: str, generation: int, lines: list[Metrics]) -> Generator[str]:
    path = shard_path(folder.shards, generation, 0)
    samples = read_shard(path, rules_key=rules)
    wanted = preset.selfplay.num_games(generation)
    changes = np.flatnonzero(np.diff(samples.game_id)) + 1
    found = samples.game_id[np.concatenate([[0], changes])] if len(samples) else samples.game_id
    if found.tolist() != list(range(wanted)):
        yield f"{path}: its games are not 0 to {wanted - 1}, each once."
    if generation < len(lines) and lines[generation].facts.positions != len(samples):
        yield f"{path}: holds {len(samples)} positions, metrics.jsonl says {lines[generation].facts.positions}."


def _model_faults(folder: Folder, lines: list[Metrics]) -> Generator[str]:
    found: dict[Path, str] = {}
    for path in sorted((folder.path / "models").glob("*.safetensors")):
        try:
            found[path] = weights_fingerprint(load_checkpoint(path))
        except BadModel as error:
            yield str(error)
    for line in lines:
        path = folder.model(line.generation)
        if line.weights and found.get(path, line.weights) != line.weights:
            yield f"{path}: is another network than that of which metrics.jsonl tells."
        if not path.is_file():
            yield f"{path}: is missing."
