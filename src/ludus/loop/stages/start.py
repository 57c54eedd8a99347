"""What a run begins with: a model that another run made, grown to this preset's network and boards."""

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
    """Return a model, `preset.start` if none is named, as the beginning of the preset's network.

    Args:
        preset: the network, and where on a larger board the model's own lies.
        games: of the preset.
        start: the model; one that is named may be of the preset's own board, where it lies as it did.

    Raises:
        BadModel: there is no such model, or it cannot become the preset's network.
        BadGame: the game that it was trained on is not here.
    """
    old, shapes = load_checkpoint(start or Path(preset.start)), Shapes.of(games[0])
    source = Shapes.of(find_game(next(iter(old.info.games))))
    offset = (0, 0) if start and source.planes[1:] == shapes.planes[1:] else preset.start_offset
    begun = warm_start(old, preset.network, shapes, source=source, offset=offset, seed=preset.seed)
    return Checkpoint(info_of(preset, games, 0, ancestors=old.info.lineage()), begun.arrays)


def info_of(preset: Preset, games: Sequence[Game], generation: int, ancestors: tuple[str, ...] = ()) -> ModelInfo:
    """Return what a model that a preset makes says of itself."""
    return ModelInfo(
        name=preset.name,
        network=preset.network,
        shapes=Shapes.of(games[0]),
        games={game.name: behaviour(game) for game in games},
        generation=generation,
        preset=preset.name,
        ancestors=ancestors,
    )
