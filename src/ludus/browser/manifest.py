"""The manifest of an exported model: what its folder contains, and how a program reads a module's arrays."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path
from typing import Any

import msgspec

from ludus.browser.layout import Layout, layout_of, records
from ludus.browser.module import module_of
from ludus.files import write_atomically
from ludus.games.behaviour import behaviour
from ludus.games.game import Game
from ludus.paths import in_game
from ludus.players.thinking.plan import FILL, SEAT_LEAVES
from ludus.search.settings import SearchSettings

FORMAT = 1


class ModelPart(msgspec.Struct, frozen=True):
    """Which model it is."""

    name: str
    generation: int
    weights: str
    """Fingerprint of the weights."""
    licence: str
    """Licence of the weights as the model's card states it; empty: not stated."""
    card: str
    """The file of the model's card; empty: none."""


class NetworkPart(msgspec.Struct, frozen=True):
    """The network's file, and the names of its tensors."""

    file: str
    bytes: int
    input: str
    outputs: tuple[str, str]


class LevelPart(msgspec.Struct, frozen=True):
    """A measured level: the limits of its search, and its rating."""

    level: str
    """In the notation of `ludus engine bgs --level`."""
    visits: int
    temperature: float
    moves: int
    """Moves of the game for which the temperature applies; 0: all."""
    seconds: float
    elo: int
    """On the scale of `yardstick` in `levels.json`, else relative to the anchor."""
    error: int


class GamePart(msgspec.Struct, frozen=True):
    """A game: its module, sizes, and the arrays that the module reads and writes."""

    spec: str
    """Its name; of a user's file only the file's name."""
    rules: str
    """Fingerprint of what its rules do."""
    module: str
    bytes: int
    planes: tuple[int, int, int]
    actions: int
    max_legal: int = msgspec.field(name="maxLegal")
    state_words: int = msgspec.field(name="stateWords")
    symmetries: int
    start: str
    """Base64 of the start state's words."""
    renews: bool
    """Whether the site may replace the state of a long game (`Game.renew`)."""
    layout: Layout
    records: dict[str, dict[str, tuple[str, int]]]


class SearchPart(msgspec.Struct, frozen=True):
    """How a pool batches the search of one tree, and the policy temperature."""

    fill: int
    leaves: int
    settings: dict[str, Any]


class Manifest(msgspec.Struct, frozen=True):
    """What the folder contains."""

    model: ModelPart
    network: NetworkPart
    search: SearchPart
    levels: list[LevelPart]
    games: list[GamePart]
    format: int = FORMAT


def search_part(settings: SearchSettings) -> SearchPart:
    """Return how a search of these settings gathers its batches."""
    return SearchPart(FILL, SEAT_LEAVES, msgspec.structs.asdict(settings))


def game_part(game: Game, settings: SearchSettings, out: Path) -> GamePart:
    """Write the module of a game into a folder; return what the manifest says of it.

    Raises:
        BadGame: its rules do not compile for browsers.
        Unavailable: the linker is missing, or the folder cannot be written.
    """
    code, settings = module_of(game), msgspec.structs.replace(settings, leaves=SEAT_LEAVES)
    return GamePart(
        spec=in_game(game.name, lambda file: Path(file).name),  # where the file was is private
        rules=behaviour(game),
        module=written(out, code, ".wasm"),
        bytes=len(code),
        planes=game.planes,
        actions=game.num_actions,
        max_legal=game.max_legal,
        state_words=game.state_words,
        symmetries=game.num_symmetries,
        start=base64.b64encode(game.start_state().tobytes()).decode(),
        renews=game.has_renew,
        layout=layout_of(game, settings),
        records=records(),
    )


def written(out: Path, data: bytes, ending: str) -> str:
    """Write a file named by its contents; return its name."""
    name = hashlib.sha256(data).hexdigest()[:16] + ending
    if not (out / name).is_file():
        write_atomically(out / name, data)
    return name
