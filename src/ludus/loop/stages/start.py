"""The start model of a run: another run's model, grown to this preset's network and boards."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ludus.games.behaviour import behaviour
from ludus.games.game import Game
from ludus.games.registry import game as find_game
from ludus.loop.preset import Preset
from ludus.network.checkpoint import Checkpoint, ModelInfo, load_checkpoint
from ludus.network.config import Shapes
from ludus.network.surgery import warm_start


def grown_start(preset: Preset, games: Sequence[Game], start: Path | None = None) -> Checkpoint:
    """Load a model (`preset.start` by default) and convert it to the preset's network and board.

    Args:
        preset: the network settings, and the offset of the model's board on a larger one.
        games: the games of the preset.
        start: path of another model; `start_offset` is ignored if its board has the preset's size.

    Raises:
        BadModel: the model is missing, or cannot become the preset's network.
        BadGame: the model's game does not exist here.
    """
    old, shapes = load_checkpoint(start or Path(preset.start)), Shapes.of(games[0])
    source = Shapes.of(find_game(next(iter(old.info.games))))
    offset = (0, 0) if start and source.planes[1:] == shapes.planes[1:] else preset.start_offset
    begun = warm_start(old, preset.network, shapes, source=source, offset=offset, seed=preset.seed)
    return Checkpoint(info_of(preset, games, 0, ancestors=old.info.lineage()), begun.arrays)


def info_of(preset: Preset, games: Sequence[Game], generation: int, ancestors: tuple[str, ...] = ()) -> ModelInfo:
    """Return the metadata of a model that a preset makes."""
    return ModelInfo(
        name=preset.name,
        network=preset.network,
        shapes=Shapes.of(games[0]),
        games={game.name: behaviour(game) for game in games},
        generation=generation,
        preset=preset.name,
        ancestors=ancestors,
    )
