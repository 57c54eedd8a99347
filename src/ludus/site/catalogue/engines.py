"""The engines that visitors' browsers can download and run: which boards they play, and where their files are."""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec

from ludus.errors import BadModel, LudusError
from ludus.games.registry import game
from ludus.protocol.spec import setting_of, spec_in_play
from ludus.site.bots.in_browser import DeviceEngine
from ludus.site.catalogue.specs import SMALLEST

_log = logging.getLogger(__name__)

PREFIX = "/engines"
"""The path of all files of engines on the site."""
MANIFEST = "manifest.json"
MAX_MANIFEST_BYTES = 4 << 20


class _ExportedGame(msgspec.Struct, frozen=True):
    spec: str


class _ExportedModel(msgspec.Struct, frozen=True):
    name: str


class _Manifest(msgspec.Struct, frozen=True):
    """The part of an exported folder's manifest that the site reads; browsers read the rest."""

    format: Literal[1]
    model: _ExportedModel
    games: list[_ExportedGame]


class _Board(NamedTuple):
    game: str
    variant: str
    width: int
    height: int


class DeviceEngines:
    """All exported engines of a site, by board; the first engine of a board is the one that browsers get."""

    def __init__(self) -> None:
        """Begin without engines."""
        self.listeners: set[Callable[[], None]] = set()
        """Functions that are called after an engine was added."""
        self._folders: dict[str, Path] = {}
        self._by_board: dict[_Board, list[DeviceEngine]] = {}

    def add(self, folder: Path) -> None:
        """Offer an exported folder, whose name must differ for different contents, since browsers keep its files.

        Raises:
            BadModel: the folder's manifest cannot be read.
        """
        file = folder / MANIFEST
        try:
            if file.stat().st_size > MAX_MANIFEST_BYTES:
                raise BadModel(f"{file}: is too long for a manifest; export the model again.")
            told = msgspec.json.decode(file.read_bytes(), type=_Manifest)
        except (OSError, msgspec.DecodeError) as error:
            raise BadModel(f"{file}: cannot be read ({error}); export the model again.") from error
        for each in told.games:
            try:
                board = _board_of(each.spec)
            except (LudusError, ValueError) as error:  # the parse function of a game file may raise either
                _log.warning("%s: the site does not have the game %s: %s", folder, each.spec, error)
                continue
            engine = DeviceEngine(told.model.name, each.spec, f"{PREFIX}/{folder.name}/{MANIFEST}")
            self._by_board.setdefault(board, []).append(engine)
        self._folders[folder.name] = folder
        for hear in self.listeners:
            hear()

    def of(self, name: str, variant: str, width: int, height: int, model: str = "") -> DeviceEngine | None:
        """Return the engine of a board; None if there is none.

        Args:
            name: the short name of the board's game.
            variant: the variant.
            width: the number of columns.
            height: the number of rows.
            model: the name of the model to look for; "": the first one of this board.
        """
        board = _Board(name, variant, max(SMALLEST, width), max(SMALLEST, height))
        return next((each for each in self._by_board.get(board, ()) if model in ("", each.name)), None)

    def folder(self, name: str) -> Path | None:
        """Return the exported folder with this name; None if the site has none."""
        return self._folders.get(name)


def _board_of(spec: str) -> _Board:
    """Return the board of a game in a manifest, with the size that bots declare."""
    setting = setting_of(spec)
    width, height = setting.width, setting.height
    if not width or not height:
        board = game(spec_in_play(spec)).start().describe()
        width, height = board.columns, board.rows
    return _Board(setting.game, setting.variant, max(SMALLEST, width), max(SMALLEST, height))
