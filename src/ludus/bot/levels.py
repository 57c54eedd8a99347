"""Builds the bots file of a site: six levels of each model in a folder, and heuristic bots for other games."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from ludus import shipped
from ludus.bot.config import BotsFile, Command, FileBot
from ludus.bot.strength import StrengthWords, strength_words
from ludus.engine.ladder import Ladder, read_ladder
from ludus.engine.level import Level
from ludus.errors import BadModel
from ludus.games import MAIN_GAME
from ludus.games.registry import about, brought, file_of, game, names
from ludus.network.checkpoint import FILE, load_checkpoint
from ludus.protocol.registration import BoardSize, Extent, VariantSupport
from ludus.protocol.spec import setting_of
from ludus.trust import COMMAND

CLIENT_ID = "ludus"
MAX_RECOMMENDED = 3
MAX_SECONDS = 60.0
"""How long a bot without randomness can think about a move if it is asked to: more time makes it stronger."""
MOST_GENERATIONS = 300
"""Bots of single generations: those of a longer run would not fit into one attach message."""


class Persona(NamedTuple):
    """The name, label and level of a bot."""

    name: str
    label: str
    level: Level
    colour: str
    """The colour of its picture."""


PERSONAS = (  # levels of a model without measured levels
    Persona("Pip", "Beginner", Level(30, 10.0), "#e0a526"),
    Persona("Nell", "Casual", Level(8, 2.0), "#3f9e6b"),
    Persona("Remy", "Club", Level(16, 1.0), "#3d8fc4"),
    Persona("Otto", "Strong", Level(30, 0.5), "#8a63b8"),
    Persona("Ada", "Expert", Level(200, 0.1), "#c2547f"),
    Persona("Wally", "Full", Level(800), "#c4532f"),
)

HEURISTIC_LEVELS = (  # for play without a network: more visits, since each is cheap and weak
    Level(30, 10.0),
    Level(30, 2.0),
    Level(100, 1.0),
    Level(400, 0.5),
    Level(3000, 0.2),
    Level(20_000),
)


class ModelGames(NamedTuple):
    """A model and its games."""

    path: Path
    specs: tuple[str, ...]
    levels: tuple[Level, ...] = ()
    """Measured levels, one for each persona; empty: the default levels of `PERSONAS`."""
    ladder: Ladder | None = None
    """The measurement of these levels."""
    name: str = ""
    """The model's own name, which its exported forms have; its folder may have another."""

    @property
    def personas(self) -> list[Persona]:
        """Return the personas with this model's levels, the weakest first."""
        levels = self.levels or [persona.level for persona in PERSONAS]
        return [persona._replace(level=level) for persona, level in zip(PERSONAS, levels, strict=True)]


def find_models(folder: Path, *, are_needed: bool = True) -> list[ModelGames]:
    """Return the models in a folder, in the order in which their engines start.

    A model is a subfolder with `model.safetensors`. Models of the main game come first, small boards before large
    ones, which take longer to compile; the others follow by name.

    Raises:
        BadModel: a model is damaged, or there is none although `are_needed` is set.
    """
    paths = sorted(file.parent for file in folder.glob(f"*/{FILE}"))
    if not paths and (folder / FILE).is_file():
        raise BadModel(f"{folder}: is a model itself; give the folder that contains it.")
    if not paths and are_needed:
        raise BadModel(
            f"{folder}: there are no models here; train one with `ludus train`, name a game to play without a model "
            "(--game mygame.py), or serve with --no-bots."
        )
    return sorted(map(_model_games, paths), key=_patience)


def brought_models(others: Sequence[ModelGames], *, with_shipped: bool) -> list[ModelGames]:
    """Return the models that games bring in their packages, without those whose name another model has.

    Args:
        others: models that take precedence.
        with_shipped: whether to add the models that Ludus ships.
    """
    folders = [*[shipped.folder("models")] * with_shipped, *brought("models")]
    models = [model for folder in folders for model in find_models(folder, are_needed=False)]
    named = {model.path.name: model for model in (*models[::-1], *others)}
    return [model for model in models if named[model.path.name] is model]


def models_to_serve(folder: Path | None, *, are_needed: bool = True) -> list[ModelGames]:
    """Return the models that play on a site, in the order in which their engines start.

    They are those of a folder and those of installed games; without a folder, those in ./models and the shipped ones.

    Raises:
        BadModel: a model is damaged, or there is none in the named folder or an installed game although `are_needed`.
    """
    chosen = folder or Path("models")
    found = find_models(chosen, are_needed=are_needed and folder is not None and not brought("models"))
    with_shipped = folder is None and chosen.resolve() != shipped.folder("models")
    return found + brought_models(found, with_shipped=with_shipped)


def _patience(model: ModelGames) -> tuple[bool, int]:
    setting = setting_of(model.specs[0])
    is_main = setting.game == MAIN_GAME
    return not is_main, (setting.width or 0) * (setting.height or 0) if is_main else 0


def _model_games(path: Path) -> ModelGames:
    checkpoint = load_checkpoint(path)
    ladder = read_ladder(path, checkpoint)
    if ladder and len(ladder.levels) != len(PERSONAS):
        raise BadModel(f"{path}: has {len(ladder.levels)} measured levels, not {len(PERSONAS)}; run `ludus levels`.")
    levels = tuple(ladder.levels_of()) if ladder else ()
    return ModelGames(path, tuple(checkpoint.info.games), levels, ladder, checkpoint.info.name)


class ModelBot(NamedTuple):
    """A level of a model as a bot."""

    model: ModelGames
    bot: FileBot
    level: Level


def model_bots(models: Sequence[ModelGames]) -> list[ModelBot]:
    """Return a bot for each level of each model, for each of its games."""
    bots: list[ModelBot] = []
    players: dict[str, int] = {}  # number of models by game
    for spec in (spec for model in models for spec in model.specs):
        players[spec] = players.get(spec, 0) + 1
    for model in models:
        games = _variants_by_game(model.specs)
        suffix = f" ({model.path.name})" if any(players[spec] > 1 for spec in model.specs) else ""
        for game_name, variants in games.items():
            prefix = model.path.name if len(games) == 1 else f"{model.path.name}-{game_name}"
            told = strength_words(model.ladder, game_name) if model.ladder else []
            found = _bots(prefix, model.personas, game_name, variants, suffix, told)
            bots += [ModelBot(model, bot, persona.level) for bot, persona in zip(found, model.personas, strict=True)]
    return bots


def bots_of_models(
    models: Sequence[ModelGames],
    official_token: str | None = None,
    *,
    evaluations: Path | None = None,
    append: bool = False,
) -> BotsFile:
    """Return a bots file with a bot for each level of each model; each model has one engine process.

    Args:
        models: the models and their games.
        official_token: the server's secret.
        evaluations: folder of evaluation files; the model NAME uses NAME.ev if that file exists.
        append: whether engines add evaluations to these files, and create missing ones.
    """
    levels, engines = model_bots(models), dict[str, Command]()
    for model in models:
        command = [*COMMAND, "engine", "bgs", "--model", str(model.path.resolve())]
        command += [f"--game={file}" for file in dict.fromkeys(filter(None, map(file_of, model.specs)))]
        kept = evaluations and evaluations.resolve() / f"{model.path.name}.ev"
        if kept and (append or kept.exists()):
            command += ["--evaluations", str(kept), *["--append"] * append]
        own = [each for each in levels if each.model is model]
        command += [_level_option(each.bot, each.level) for each in own]
        engines |= {each.bot.bot_id: command for each in own}
    bots = [each.bot for each in levels]
    return BotsFile(bots=bots, client_id=CLIENT_ID, official_token=official_token, engine_commands=engines)


def heuristic_games() -> dict[str, list[str]]:
    """Return the games that get heuristic bots if no model plays them, in groups that each have one engine.

    The first group has the boards that share compiled code with the first one, so its engine is ready early.
    """
    specs = [":".join(filter(None, (name, board))) for name in names() for board in about(name).heuristic_boards]
    keys = [game(spec).rules.key for spec in specs]
    early = [key == keys[0] for key in keys]
    return {
        "sense": [spec for spec, is_early in zip(specs, early, strict=True) if is_early],
        "sense-more": [spec for spec, is_early in zip(specs, early, strict=True) if not is_early],
    }


def with_heuristics(file: BotsFile, groups: Mapping[str, Sequence[str]]) -> BotsFile:
    """Return the bots file with six heuristic bots for each game of `groups` that no bot of the file plays.

    Each group has one engine; a game in two groups belongs to the first. The new bots come before those of the file,
    so that their engines start first.
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


def in_one_engine(file: BotsFile) -> BotsFile:
    """Return the bots file with one engine for all models and heuristics, which loads the libraries once.

    An engine chooses its player by the board, so one that plays a board of an earlier engine stays apart.  So does one
    that stores evaluations, since an engine stores those of one model.
    """
    first = (*COMMAND, "engine", "bgs")
    commands = {bot.bot_id: file.command_of(bot) for bot in file.bots}
    together: list[str] = []
    inside: list[FileBot] = []
    for command in dict.fromkeys(commands.values()):
        bots = [bot for bot in file.bots if commands[bot.bot_id] == command]
        is_alone = command[: len(first)] != first or "--append" in command
        if not is_alone and not any(_overlap(bot, other) for bot in bots for other in inside):
            together += command[len(first) :]
            inside += bots
    shared = {bot.bot_id: [*first, *together] for bot in inside}
    return msgspec.structs.replace(file, engine_commands=file.engine_commands | shared)


def _overlap(bot: FileBot, other: FileBot) -> bool:
    """Return whether both bots play some board."""
    return bot.game == other.game and any(
        max(own.board_width.min, its.board_width.min) <= min(own.board_width.max, its.board_width.max)
        and max(own.board_height.min, its.board_height.min) <= min(own.board_height.max, its.board_height.max)
        for variant, own in bot.variants.items()
        if (its := other.variants.get(variant))
    )


def _without_network(prefix: str, specs: Sequence[str]) -> BotsFile:
    """Return a bots file with heuristic bots for some games, and the engine that they share."""
    personas = [persona._replace(level=level) for persona, level in zip(PERSONAS, HEURISTIC_LEVELS, strict=True)]
    command = [*COMMAND, "engine", "bgs", *(f"--sense={spec}" for spec in specs)]
    bots: list[FileBot] = []
    for game_name, variants in _variants_by_game(specs).items():
        found = _bots(f"{prefix}-{game_name}", personas, game_name, variants)
        command += _level_options(found, personas)
        bots += found
    return BotsFile(bots=bots, client_id=CLIENT_ID, engine_commands={bot.bot_id: command for bot in bots})


def generation_bot(run: Path, generation: int) -> str:
    """Return the id of the bot that plays with a generation; it names the run, since runs may share a database."""
    return f"grown-{run.name}-generation-{generation}"


def bots_of_run(
    run: Path, spec: str, generations: Sequence[int], playing: int | None, official_token: str | None = None
) -> BotsFile:
    """Return a bots file for a training run: six levels of its newest network, and a bot for each finished generation.

    The six levels keep their ids, so that their games go on while networks come.  Lists leave out the bots of
    single generations.

    Args:
        run: the run's directory.
        spec: the run's game.
        generations: the generations whose networks are there.
        playing: the generation that the six levels play with; None: they play without a network.
        official_token: the server's secret.
    """
    ((game_name, variants),) = _variants_by_game([spec]).items()
    suffix = "" if playing is None else f" (generation {playing})"
    levels = _bots(f"grown-{run.name}", PERSONAS, game_name, variants, suffix=suffix)
    single = [
        FileBot(
            bot_id=generation_bot(run, each),
            name=f"Generation {each}",
            variants=variants,
            placement="training",
            game=game_name,
        )
        for each in generations[-MOST_GENERATIONS:]
    ]
    command = [*COMMAND, "engine", "bgs", f"--run={run.resolve()}", f"--sense={spec}"]
    command += [f"--visits={PERSONAS[-1].level.visits}", "--trees=64"]
    command += _level_options(levels, PERSONAS)
    return BotsFile(
        bots=[*levels, *single],
        client_id=CLIENT_ID,
        official_token=official_token,
        engine_commands={"default": command},
    )


def dummy_bots(official_token: str | None = None) -> BotsFile:
    """Return a bots file with a dummy bot on a few small boards, for trying the site without a model."""
    specs = [":".join(filter(None, (name, board))) for name in names() for board in about(name).trial_boards]
    engine: Command = [*COMMAND, "engine", "dummy", *(f"--game={spec}" for spec in specs)]
    bots = [
        FileBot(bot_id=f"dummy-{name}", name="Dummy", variants=variants, level="Trial", game=name)
        for name, variants in _variants_by_game(specs).items()
    ]
    return BotsFile(bots=bots, client_id=CLIENT_ID, official_token=official_token, engine_commands={"default": engine})


def _bots(
    prefix: str,
    personas: Sequence[Persona],
    game_name: str,
    variants: dict[str, VariantSupport],
    suffix: str = "",
    told: Sequence[StrengthWords] = (),
) -> list[FileBot]:
    """Return a bot for each persona, the weakest first; `told` has their strengths, if these were measured."""
    strengths = told or [StrengthWords("", "")] * len(personas)
    return [
        FileBot(
            bot_id=f"{prefix}-{persona.label.lower()}",
            name=persona.name + suffix,
            variants=variants,
            list_order=rank,
            game=game_name,
            level=persona.label,
            appearance={"color": persona.colour},
            strength=strength.value,
            strength_source=strength.source,
            visits=persona.level.visits,
            max_seconds=0.0 if persona.level.temperature else MAX_SECONDS,
        )
        for rank, (persona, strength) in enumerate(zip(personas, strengths, strict=True), 1)
    ]


def _level_options(bots: Sequence[FileBot], personas: Sequence[Persona]) -> list[str]:
    """Return an engine's options that give each bot its persona's level."""
    return [_level_option(bot, persona.level) for bot, persona in zip(bots, personas, strict=True)]


def _level_option(bot: FileBot, level: Level) -> str:
    return f"--level={bot.bot_id}={level}"


def _is_played(file: BotsFile, spec: str) -> bool:
    """Return whether any bot of the file plays a game."""
    setting, size = setting_of(spec), _size_of(spec)
    supports = [bot.variants.get(setting.variant) for bot in file.bots if bot.game == setting.game]
    return any(support and support.plays(size.board_width, size.board_height) for support in supports)


def _variants_by_game(specs: Sequence[str]) -> dict[str, dict[str, VariantSupport]]:
    """Return the board sizes in a list of specs, by game and variant."""
    sizes: dict[str, dict[str, list[BoardSize]]] = {}
    fixed: set[tuple[str, str]] = set()
    for spec in specs:
        setting, told = setting_of(spec), about(spec)
        own = sizes.setdefault(setting.game, {})
        own.setdefault(setting.variant, []).append(_size_of(spec))
        fixed |= {(setting.game, each.value) for each in told.variants if each.fixed}
        for each in told.variants:  # that the same network plays on the same board
            if each.plays_as == setting.variant and not each.fixed and setting.width is None:
                own.setdefault(each.value, []).append(_size_of(spec))
    return {
        name: {variant: _support(boards, recommend=(name, variant) not in fixed) for variant, boards in own.items()}
        for name, own in sizes.items()
    }


def _size_of(spec: str) -> BoardSize:
    setting = setting_of(spec)
    if setting.width and setting.height:
        return BoardSize(setting.width, setting.height)
    board = game(spec).start().describe()
    return BoardSize(max(3, board.columns), max(3, board.rows))


def _support(sizes: list[BoardSize], *, recommend: bool) -> VariantSupport:
    """Return the registration entry of some board sizes; without `recommend` it lists no recommended sizes."""
    ordered = sorted(set(sizes), key=lambda size: (size.board_width * size.board_height, size.board_width))
    widths, heights = [size.board_width for size in ordered], [size.board_height for size in ordered]
    recommended = ordered[-MAX_RECOMMENDED:] if recommend else []
    return VariantSupport(Extent(min(widths), max(widths)), Extent(min(heights), max(heights)), recommended)
