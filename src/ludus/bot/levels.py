"""The bots of a site: six levels of each model of a folder, measured ones where there are; some without a network."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from ludus.bot.config import BotsFile, Command, FileBot
from ludus.engine.ladder import read_ladder
from ludus.engine.level import Level
from ludus.errors import BadModel
from ludus.games.registry import game
from ludus.network.checkpoint import FILE, load_checkpoint
from ludus.protocol.attach import FIXED_SIZE
from ludus.protocol.registration import BoardSize, Extent, VariantSupport
from ludus.protocol.spec import CHESS960, setting_of

CLIENT_ID = "ludus"
MAIN_GAME = "wallgame"
MAX_RECOMMENDED = 3


class Persona(NamedTuple):
    """A bot's name and how hard it tries."""

    name: str
    label: str
    level: Level


PERSONAS = (  # of a model whose levels were not measured
    Persona("Pip", "Beginner", Level(30, 10.0)),
    Persona("Nell", "Casual", Level(8, 2.0)),
    Persona("Remy", "Club", Level(16, 1.0)),
    Persona("Otto", "Strong", Level(30, 0.5)),
    Persona("Ada", "Expert", Level(200, 0.1)),
    Persona("Wally", "Full", Level(800)),
)

HEURISTIC_LEVELS = (  # of games without a network, whose visits are worth little, and cheap
    Level(30, 10.0),
    Level(30, 2.0),
    Level(100, 1.0),
    Level(400, 0.5),
    Level(3000, 0.2),
    Level(20_000),
)
HEURISTIC_GAMES = {
    "sense": ("wallgame:classic:8x8", "wallgame:standard:8x8"),
    "sense-more": ("wallgame:freestyle:12x10", "gomoku:15x15", "tictactoe"),
}
"""Played by their heuristics where no model does; an engine for each group, which start before those of the models.

The games of the first group share their compiled code, so that its bots are among the first to come.
"""


class ModelGames(NamedTuple):
    """A model and what it plays."""

    path: Path
    specs: tuple[str, ...]
    levels: tuple[Level, ...] = ()
    """As many as there are personas, measured; empty: those of the personas."""

    @property
    def personas(self) -> list[Persona]:
        """Return who plays, the gentlest first."""
        levels = self.levels or [persona.level for persona in PERSONAS]
        return [persona._replace(level=level) for persona, level in zip(PERSONAS, levels, strict=True)]


def find_models(folder: Path, *, are_needed: bool = True) -> list[ModelGames]:
    """Return the models in a folder (each a folder with `model.safetensors`) in the order in which they start.

    Those of the main game come first, with small boards before large ones, which take longer to compile; then by name.

    Raises:
        BadModel: one is damaged, or there are none although they are needed.
    """
    paths = sorted(file.parent for file in folder.glob(f"*/{FILE}"))
    if not paths and (folder / FILE).is_file():
        raise BadModel(f"{folder}: is a model itself; name the folder in which it lies.")
    if not paths and are_needed:
        raise BadModel(
            f"{folder}: there are no models here; train one with `ludus train`, name a game that is played without one "
            "(--game mygame.py), or serve with --no-bots."
        )
    return sorted(map(_model_games, paths), key=_patience)


def _patience(model: ModelGames) -> tuple[bool, int]:
    setting = setting_of(model.specs[0])
    is_main = setting.game == MAIN_GAME
    return not is_main, (setting.width or 0) * (setting.height or 0) if is_main else 0


def _model_games(path: Path) -> ModelGames:
    checkpoint = load_checkpoint(path)
    ladder = read_ladder(path, checkpoint)
    if ladder and len(ladder.levels) != len(PERSONAS):
        raise BadModel(f"{path}: has {len(ladder.levels)} measured levels, not {len(PERSONAS)}; run `ludus levels`.")
    return ModelGames(path, tuple(checkpoint.info.games), tuple(ladder.levels_of()) if ladder else ())


def bots_of_models(
    models: Sequence[ModelGames],
    official_token: str | None = None,
    *,
    evaluations: Path | None = None,
    append: bool = False,
) -> BotsFile:
    """Return the bots file that brings every model in every level; one engine process for each model.

    Args:
        models: who plays.
        official_token: the server's secret.
        evaluations: a folder with an evaluation file NAME.ev for the model NAME; those that have none do without.
        append: what the models think is kept there, in files that begin if there are none.
    """
    bots: list[FileBot] = []
    engines: dict[str, Command] = {}
    players: dict[str, int] = {}  # how many models play a game
    for spec in (spec for model in models for spec in model.specs):
        players[spec] = players.get(spec, 0) + 1
    for model in models:
        name = model.path.name
        games = _variants_by_game(model.specs)
        shared = any(players[spec] > 1 for spec in model.specs)
        levels: list[str] = []
        command = [sys.executable, "-m", "ludus", "engine", "bgs", "--model", str(model.path.resolve())]
        kept = evaluations and evaluations.resolve() / f"{name}.ev"
        if kept and (append or kept.exists()):
            command += ["--evaluations", str(kept), *["--append"] * append]
        for game_name, variants in games.items():
            prefix = name if len(games) == 1 else f"{name}-{game_name}"
            found = _bots(prefix, model.personas, game_name, variants, suffix=f" ({name})" if shared else "")
            levels += [f"--level={bot.bot_id}={each.level}" for bot, each in zip(found, model.personas, strict=True)]
            bots += found
        engines |= {bot.bot_id: [*command, *levels] for bot in bots if bot.bot_id not in engines}
    return BotsFile(bots=bots, client_id=CLIENT_ID, official_token=official_token, engine_commands=engines)


def with_heuristics(file: BotsFile, groups: Mapping[str, Sequence[str]] = HEURISTIC_GAMES) -> BotsFile:
    """Return a bots file with six levels without a network, for those games of `groups` that none of its bots plays.

    One engine plays the games of a group, but for those of groups before. They stand before those of the file, and so
    start first.
    """
    parts: list[BotsFile] = []
    for prefix, group in groups.items():
        others = [file, *parts]
        parts.append(
            _without_network(prefix, [spec for spec in group if not any(_is_played(each, spec) for each in others)])
        )
    parts.append(file)
    return msgspec.structs.replace(
        file,
        bots=[bot for part in parts for bot in part.bots],
        engine_commands={bot_id: command for part in parts for bot_id, command in part.engine_commands.items()},
    )


def _without_network(prefix: str, specs: Sequence[str]) -> BotsFile:
    """Return the bots without a network for some games, and their engine."""
    personas = [persona._replace(level=level) for persona, level in zip(PERSONAS, HEURISTIC_LEVELS, strict=True)]
    command = [sys.executable, "-m", "ludus", "engine", "bgs", *(f"--sense={spec}" for spec in specs)]
    bots: list[FileBot] = []
    for game_name, variants in _variants_by_game(specs).items():
        found = _bots(f"{prefix}-{game_name}", personas, game_name, variants)
        command += [f"--level={bot.bot_id}={each.level}" for bot, each in zip(found, personas, strict=True)]
        bots += found
    return BotsFile(bots=bots, client_id=CLIENT_ID, engine_commands={bot.bot_id: command for bot in bots})


def dummy_bots(official_token: str | None = None) -> BotsFile:
    """Return the bots file of a bot without a network, on a few small boards; for trials of everything else."""
    sizes = [BoardSize(5, 5), BoardSize(6, 6), BoardSize(8, 8)]
    walls = {variant: _support(sizes, recommend=True) for variant in ("classic", "standard")}
    specs = [f"wallgame:{variant}:{size.board_width}x{size.board_height}" for variant in walls for size in sizes]
    rack = {"standard": _support([BoardSize(7, 6)], recommend=True)}
    engine: Command = [sys.executable, "-m", "ludus", "engine", "dummy", "--game=connect4"]
    engine += [f"--game={spec}" for spec in specs]
    bots = [
        FileBot(bot_id="dummy-wallgame", name="Dummy", variants=walls, level="Trial"),
        FileBot(bot_id="dummy-connect4", name="Dummy", variants=rack, level="Trial", game="connect4"),
    ]
    return BotsFile(bots=bots, client_id=CLIENT_ID, official_token=official_token, engine_commands={"default": engine})


def _bots(
    prefix: str, personas: Sequence[Persona], game_name: str, variants: dict[str, VariantSupport], suffix: str = ""
) -> list[FileBot]:
    """Return a bot for each persona, the gentlest first."""
    return [
        FileBot(
            bot_id=f"{prefix}-{persona.label.lower()}",
            name=persona.name + suffix,
            variants=variants,
            list_order=rank,
            game=game_name,
            level=persona.label,
        )
        for rank, persona in enumerate(personas, 1)
    ]


def _is_played(file: BotsFile, spec: str) -> bool:
    """Return whether a bot of the file plays a game."""
    setting, size = setting_of(spec), _size_of(spec)
    supports = [bot.variants.get(setting.variant) for bot in file.bots if bot.game == setting.game]
    return any(support and support.plays(size.board_width, size.board_height) for support in supports)


def _variants_by_game(specs: Sequence[str]) -> dict[str, dict[str, VariantSupport]]:
    """Return which boards of which variants of which games a list of games is."""
    sizes: dict[str, dict[str, list[BoardSize]]] = {}
    for spec in specs:
        setting = setting_of(spec)
        sizes.setdefault(setting.game, {}).setdefault(setting.variant, []).append(_size_of(spec))
        if spec == "chess":
            sizes["chess"].setdefault(CHESS960, []).append(_size_of(spec))
    return {
        name: {
            variant: _support(boards, recommend=(name, variant) != FIXED_SIZE) for variant, boards in variants.items()
        }
        for name, variants in sizes.items()
    }


def _size_of(spec: str) -> BoardSize:
    setting = setting_of(spec)
    if setting.width and setting.height:
        return BoardSize(setting.width, setting.height)
    board = game(spec).start().describe()
    return BoardSize(max(3, board.columns), max(3, board.rows))


def _support(sizes: list[BoardSize], *, recommend: bool) -> VariantSupport:
    """Return what is registered for some boards; a variant of one size must not recommend it."""
    ordered = sorted(set(sizes), key=lambda size: (size.board_width * size.board_height, size.board_width))
    widths, heights = [size.board_width for size in ordered], [size.board_height for size in ordered]
    recommended = ordered[-MAX_RECOMMENDED:] if recommend else []
    return VariantSupport(Extent(min(widths), max(widths)), Extent(min(heights), max(heights)), recommended)
