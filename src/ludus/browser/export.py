"""Writes a model for browsers: a folder with a manifest, the network as ONNX, and a module for each of its games.

Every file but `manifest.json` is named by its contents, so that it may be cached forever.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import msgspec

from ludus.browser.manifest import (
    GamePart,
    LevelPart,
    Manifest,
    ModelPart,
    NetworkPart,
    game_part,
    search_part,
    written,
)
from ludus.engine.ladder import Ladder, Strength
from ludus.engine.level import Level
from ludus.errors import BadInput
from ludus.files import write_atomically
from ludus.games.game import Game
from ludus.games.registry import game as find_game
from ludus.network.card import CARD
from ludus.network.checkpoint import Checkpoint, weights_fingerprint
from ludus.network.tensors import LOGITS, PLANES
from ludus.paths import in_game
from ludus.protocol.spec import spec_in_play
from ludus.search.settings import SearchSettings

MANIFEST = "manifest.json"


def export(
    model: Path,
    checkpoint: Checkpoint,
    games: list[Game],
    out: Path,
    *,
    licence: str,
    ladder: Ladder | None = None,
    search: SearchSettings | None = None,
) -> Manifest:
    """Write a model for browsers; return its manifest.

    Args:
        model: the model's folder or file, which may have a card.
        checkpoint: the model.
        games: the games whose rules are compiled, all with the model's planes and actions.
        out: the folder, created if missing; files of an older export stay, since browsers may still ask for them.
        licence: licence of the weights; empty: not stated.
        ladder: the model's measured levels.
        search: settings of the search (default: the usual ones).

    Raises:
        BadInput: the folder has a manifest of another model.
        BadGame: a game's rules do not compile for browsers.
        Unavailable: the linker or the library for ONNX is missing, or the folder cannot be written.
    """
    settings = search or SearchSettings()
    file = out / MANIFEST
    if file.is_file() and _model_of(file) != checkpoint.info.name:
        raise BadInput(f"{out}: has a manifest of the model {_model_of(file)}; choose another folder.")
    parts = [_part(game, settings, out) for game in games]
    card = (model if model.is_dir() else model.parent) / CARD
    made = Manifest(
        model=ModelPart(
            name=checkpoint.info.name,
            generation=checkpoint.info.generation,
            weights=weights_fingerprint(checkpoint),
            licence=licence,
            card=written(out, card.read_bytes(), ".md") if card.is_file() else "",
        ),
        network=_network(checkpoint, licence, out),
        search=search_part(settings),
        levels=[*map(_level, ladder.levels_of(), ladder.strengths())] if ladder else [],
        games=parts,
    )
    write_atomically(file, msgspec.json.format(msgspec.json.encode(made), indent=1))
    return made


def _part(game: Game, settings: SearchSettings, out: Path) -> GamePart:
    """Return a game's part with the rules that sites play, which may differ slightly from those of training."""
    played = find_game(spec_in_play(game.name))
    return msgspec.structs.replace(
        game_part(played, settings, out), spec=in_game(game.name, lambda file: Path(file).name)
    )


def _network(checkpoint: Checkpoint, licence: str, out: Path) -> NetworkPart:
    from ludus.network.onnx import OUTCOME, write_onnx  # needs an extra

    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder, "network.onnx")
        write_onnx(checkpoint, made, licence=licence)
        data = made.read_bytes()
    return NetworkPart(written(out, data, ".onnx"), len(data), PLANES, (LOGITS, OUTCOME))


def _level(level: Level, strength: Strength) -> LevelPart:
    return LevelPart(
        str(level), level.visits, level.temperature, level.moves, level.seconds, strength.elo, strength.error
    )


def _model_of(file: Path) -> str:
    """Return the name of the model of a manifest, also of another version."""
    try:
        return str(msgspec.json.decode(file.read_bytes())["model"]["name"])
    except (OSError, msgspec.DecodeError, KeyError, TypeError):
        return "of another program"
