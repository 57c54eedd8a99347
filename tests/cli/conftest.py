"""Shared parts of the command tests: small untrained networks."""

from pathlib import Path

import pytest

import ludus
from ludus.games.behaviour import behaviour
from ludus.network.checkpoint import Checkpoint, ModelInfo, save_checkpoint
from ludus.network.config import NetworkSettings, Shapes


@pytest.fixture(scope="session")
def save_tiny():
    """Return a function that writes a small network into a folder, and returns the folder."""
    from ludus.network.model import draw_arrays

    def save(folder: Path, name: str = "tiny", spec: str = "tictactoe", *, seed: int = 0, generation: int = 0) -> Path:
        game = ludus.game(spec)
        network, shapes = NetworkSettings(blocks=1, channels=4, head_channels=2), Shapes.of(game)
        info = ModelInfo(name, network, shapes, {spec: behaviour(game)}, generation=generation)
        arrays = draw_arrays(network, shapes, seed=seed)
        save_checkpoint(folder / "model.safetensors", Checkpoint(info, arrays))
        return folder

    return save
