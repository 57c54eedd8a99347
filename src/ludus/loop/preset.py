"""Presets: TOML files that define a training run completely."""

import math
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import msgspec

from ludus import config, shipped, trust
from ludus.config import AtLeastOne, AtLeastZero, NotNegative
from ludus.errors import BadPreset
from ludus.games import EXAMPLE_GAME
from ludus.games.calls import RULES
from ludus.games.game import Game
from ludus.games.registry import game as find_game
from ludus.games.registry import names
from ludus.kernel import fingerprint
from ludus.learner.settings import LearnerSettings
from ludus.network.boost import BoostSettings
from ludus.network.config import NetworkSettings, Shapes, check_heads
from ludus.paths import in_game, path_in, spec_parts
from ludus.rating import GateSettings
from ludus.search.settings import MAX_VISITS, SearchSettings
from ludus.selfplay.settings import SelfplaySettings

MOST_GAMES = 256  # samples store a game's number in one byte


class MatchSettings(config.Settings, frozen=True):
    """Settings of the matches that measure a generation."""

    pairs: AtLeastZero = 40
    """Pairs of games against each opponent; 0: no matches."""
    visits: Annotated[int, msgspec.Meta(ge=1, le=MAX_VISITS)] = 50
    """Visits per action, for both players."""
    opening_actions: AtLeastZero = 4
    """Random actions at the start of each pair of games."""
    previous: tuple[AtLeastOne, ...] = (1, 3)
    """Earlier opponents: 3 is the network three generations back."""
    anchor_visits: Annotated[int, msgspec.Meta(ge=1, le=MAX_VISITS)] = 200
    """Visits per action of the fixed opponent (the heuristic player, or random playouts if there is none)."""
    anchor_every: AtLeastOne = 4
    """Generations between matches against the fixed opponent; the first and last generations always play it."""


class GameShares(config.Settings, frozen=True):
    """Shares of self-play per game, valid from one generation on."""

    shares: tuple[NotNegative, ...]
    """One share for each of the preset's `games`, in the same order; they need not sum to 1."""
    from_generation: AtLeastZero = 0

    def __post_init__(self) -> None:
        """Check that the shares are finite and not all 0; raises ValueError."""
        super().__post_init__()
        if not 0.0 < sum(self.shares) < math.inf:
            raise ValueError("shares must be finite and not all 0")


class Preset(config.Settings, frozen=True):
    """All settings of a training run.  Relative paths start at the folder of the preset."""

    name: str
    """Name of the trained model."""
    games: list[str]
    """Specs of the games that one network learns; they must share compiled rules, planes and actions."""
    generations: AtLeastOne = 20
    """Number of rounds of self-play and learning."""
    workers: AtLeastZero = 0
    """Self-play threads (0: one per core); each has its own search trees, all share the network."""
    processes: AtLeastZero = 1
    """Self-play processes among which the workers are divided, one GPU each if there are several (0: one per GPU)."""
    device: str = "auto"
    """Device of self-play and matches: `auto` (all GPUs, else the CPU), `openvino`, `cuda`, `onnxruntime`, ..."""
    seed: Annotated[int, msgspec.Meta(ge=0, le=(1 << 63) - 1)] = 0
    """Seed of all random numbers of the run."""
    mode: Literal["generations", "pipelined"] = "generations"
    """`generations`: self-play, then learning, then matches; `pipelined`: self-play runs while the network learns."""
    deterministic: bool = False
    """Use one worker, so that the same seed gives the same bytes on a CPU. An interrupted self-play stage restarts.

    GPUs choose kernels by measured times and are not deterministic: hide them by `CUDA_VISIBLE_DEVICES=`.
    """
    start: str = ""
    """Path of the model that initialises the network; it plays generation 0 unless `first_teacher` says otherwise."""
    start_offset: tuple[int, int] = (0, 0)
    """Row and column of this board at which the smaller board of `start` is placed; needed by linear heads."""
    first_teacher: Literal["auto", "heuristic", "playouts", "uniform"] = "auto"
    """Player of generation 0: `heuristic`, `playouts` or `uniform`. `auto`: `start` if set, else the game's heuristic,
    else playouts."""
    openings_from: tuple[str, ...] = ()
    """Game records (formats of `ludus learn-from`); `selfplay.opening_share` of the games start at their positions."""
    shares: tuple[GameShares, ...] = ()
    """Shares of self-play per game, as tables with `shares` and `from_generation`; empty: equal shares."""
    network: NetworkSettings = NetworkSettings()
    search: SearchSettings = SearchSettings()
    boost: BoostSettings = BoostSettings()
    selfplay: SelfplaySettings = SelfplaySettings()
    learner: LearnerSettings = LearnerSettings()
    match: MatchSettings = MatchSettings()
    gate: GateSettings = GateSettings()

    def __post_init__(self) -> None:
        """Check settings that depend on each other; raises ValueError with the remedy."""
        super().__post_init__()
        if self.processes != 1 and (self.deterministic or self.mode == "pipelined"):
            raise ValueError('processes other than 1 need mode = "generations" and deterministic = false')
        if not 1 <= len(self.games) <= MOST_GAMES:
            raise ValueError(f'games must name 1 to {MOST_GAMES} games, such as ["{EXAMPLE_GAME}"]')
        if self.deterministic and (self.workers > 1 or self.mode == "pipelined"):
            raise ValueError('deterministic needs workers = 1 and mode = "generations": the order of threads is random')
        if self.boost.actions and self.mode == "pipelined":
            raise ValueError('boost needs mode = "generations": pipelined evaluators serve several generations')
        if self.gate.kind != "off" and self.mode == "pipelined":
            raise ValueError('gate needs mode = "generations": pipelined self-play does not wait for its match')
        if self.gate.kind == "score" and self.match.pairs == 0:
            raise ValueError('gate.kind = "score" needs match.pairs above 0: these pairs decide')
        if self.network.frozen_generations and not self.start:
            raise ValueError("network.frozen_generations needs start: an untrained body must not be frozen")
        if bool(self.openings_from) != (self.selfplay.opening_share > 0.0):
            raise ValueError("openings_from and selfplay.opening_share must be set together: give records and a share")
        if any(len(each.shares) != len(self.games) for each in self.shares):
            raise ValueError("shares must list one number for each of the games")

    def with_paths(self, change: Callable[[str], str]) -> "Preset":
        """Return the preset with all of its paths changed: those of games' files, of `start` and of `openings_from`."""
        return msgspec.structs.replace(
            self,
            games=[in_game(spec, change) for spec in self.games],
            start=self.start and change(self.start),
            openings_from=tuple(map(change, self.openings_from)),
        )

    @property
    def begins_taught(self) -> bool:
        """Return whether a first teacher plays generation 0 instead of the model `start`."""
        return not self.start or self.first_teacher != "auto"

    def progress(self, generation: int) -> float:
        """Return the position of a generation in the run: 0 for the first one, 1 for the last."""
        return generation / max(1, self.generations - 1)

    def shares_of(self, generation: int) -> tuple[float, ...]:
        """Return the shares of the games in a generation; empty: equal shares."""
        found: tuple[float, ...] = ()
        for each in sorted(self.shares, key=lambda each: each.from_generation):
            if each.from_generation <= generation:
                found = each.shares
        return found

    def make_games(self) -> list[Game]:
        """Create the games of the preset.

        Raises:
            BadPreset: the games cannot share one network, or do not declare what the preset needs.
            BadGame: a game does not exist.
        """
        asked_by = f"the preset {self.name} names it"
        first, *others = games = [find_game(spec, asked_by=asked_by) for spec in self.games]
        for game in others:
            if difference := _difference(game, first):
                raise BadPreset(f"{self.name}: {game.name} and {first.name} cannot share one network: {difference}.")
        check_heads(self.network, Shapes.of(first))
        if self.boost.actions:
            self.boost.chosen(first.action_classes)
            if self.begins_taught and self.boost.last_generation == 0:
                raise BadPreset(f"{self.name}: boost.last_generation must be 1 or more: a teacher plays generation 0.")
        return games


class _Shared(NamedTuple):
    """A property that games must have in common to share arrays, a network and compiled rules."""

    what: str
    """Description of the difference, with a `{}` for each of the two values if they are shown."""
    value: object
    remedy: str
    """Advice for the author of a game file."""
    choice: str = "choose boards and options that agree in it, or a network for each"
    """Advice for a user of built-in or installed games, who cannot change them."""


def _difference(one: Game, other: Game) -> str:
    """Return the first difference that keeps two games from sharing a network, with a remedy; empty: there is none."""
    kinds = [_shapes, _rules]
    if spec_parts(one.name)[0] != spec_parts(other.name)[0]:
        kinds.reverse()  # report differing rules first: a board frame cannot fix those
    named = all(spec_parts(game.name)[0] in names() for game in (one, other))
    for kind in kinds:
        for mine, theirs in zip(kind(one), kind(other), strict=True):
            if mine.value != theirs.value:
                remedy = mine.choice if named else mine.remedy
                return f"{mine.what.format(mine.value, theirs.value)}; {remedy}"
    return ""


def _shapes(game: Game) -> list[_Shared]:
    """Return the sizes that a game declares and that must be equal in all games of one network."""
    num_planes, *sides = game.planes
    alike = "declare the same for both (options change it, too)"
    frame = "lay the smaller board in the frame of the larger one (as `5x5@6x6` does), if the game has frames"
    border = msgspec.structs.asdict(Shapes.of(game))
    return [
        _Shared("they have {} and {} planes", num_planes, "choose options with the same planes, or a network for each"),
        _Shared("their planes are of {} and {} cells", "x".join(map(str, sides)), frame, frame),
        _Shared("they have {} and {} actions", game.num_actions, "number the actions of both as on the larger board"),
        *(_Shared(f"their `{name}` differs", value, alike) for name, value in border.items()),
        _Shared("their max_legal is {} and {}", game.max_legal, "declare the larger one for both"),
        _Shared("their states have {} and {} words", game.state_words, "declare the larger state_size for both"),
        _Shared("their dtype is {} and {}", str(game.dtype), "declare the same for both"),
    ]


def _rules(game: Game) -> list[_Shared]:
    """Return the compiled rules that games of one network must share."""
    remedy = "one compiled code must serve both: keep differences such as the board's size in the state"
    remedies = remedy, "train a network for each"
    return [
        *(
            _Shared(f"the code of their rule {rule}() differs", fingerprint(getattr(game.rules, rule)), *remedies)
            for rule in RULES
        ),
        _Shared("the code of their rules differs", game.rules.key, *remedies),
    ]


PRESETS = shipped.folder("presets")


def find_preset(name: str) -> Path:
    """Return the file of a preset: `name` is a path, or the name of a preset that ships with Ludus.

    Raises:
        BadPreset: neither exists.
    """
    path = Path(name)
    if path.suffix == ".toml" or path.is_file():
        return path
    there = PRESETS / f"{name}.toml"
    if not there.is_file():
        known = ", ".join(sorted(each.stem for each in PRESETS.glob("*.toml")))
        raise BadPreset(f"There is no preset {name!r}; shipped: {known}; or give the path of a .toml file.")
    return there


def load_preset(name: str) -> Preset:
    """Load a preset that the user names, and permit the files of its games to run.

    Raises:
        BadPreset: a setting is faulty; the error names the remedy.
    """
    path = find_preset(name)
    if path.suffix == ".py" and path.is_file():
        raise BadPreset(
            f'{path}: is a game, not a preset; write a .toml file beside it with name = "{path.stem}" and games = '
            f'["{path.name}"], and pass that.'
        )
    preset = config.load(path, Preset).with_paths(partial(path_in, file=path))
    trust.permit(*preset.games)
    return preset
