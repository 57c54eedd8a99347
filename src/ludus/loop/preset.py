"""A preset: everything that defines a training run, as one TOML file."""

import math
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import msgspec

from ludus import config
from ludus.config import AtLeastOne, AtLeastZero, NotNegative
from ludus.errors import BadPreset
from ludus.games.calls import RULES
from ludus.games.game import Game
from ludus.games.registry import BUILT_IN
from ludus.games.registry import game as find_game
from ludus.kernel import fingerprint
from ludus.learner.settings import LearnerSettings
from ludus.network.boost import BoostSettings
from ludus.network.config import NetworkSettings, Shapes, check_heads
from ludus.rating import GateSettings
from ludus.search.settings import MAX_VISITS, SearchSettings
from ludus.selfplay.settings import SelfplaySettings

MOST_GAMES = 256  # samples number them in a byte


class MatchSettings(config.Settings, frozen=True):
    """How a generation is measured."""

    pairs: AtLeastZero = 40
    """Pairs of games against each opponent; 0 = no matches."""
    visits: Annotated[int, msgspec.Meta(ge=1, le=MAX_VISITS)] = 50
    """Visits of each action, for both sides."""
    opening_actions: AtLeastZero = 4
    """Random actions before a pair of games."""
    previous: tuple[AtLeastOne, ...] = (1, 3)
    """Opponents: how many generations back."""
    anchor_visits: Annotated[int, msgspec.Meta(ge=1, le=MAX_VISITS)] = 200
    """Visits of the fixed opponent (the heuristic player, or playouts where a game has no heuristic)."""
    anchor_every: AtLeastOne = 4
    """Generations between matches against the fixed opponent; the first and the last are always played."""


class GameShares(config.Settings, frozen=True):
    """How self-play is divided among the games from some generation on."""

    shares: tuple[NotNegative, ...]
    """Of each of the preset's `games`, in their order; they need not sum to 1."""
    from_generation: AtLeastZero = 0

    def __post_init__(self) -> None:
        """Refuse shares of nothing."""
        super().__post_init__()
        if not 0.0 < sum(self.shares) < math.inf:
            raise ValueError("shares must be finite and not all 0")


class Preset(config.Settings, frozen=True):
    """A training run."""

    name: str
    """Of the model that comes out."""
    games: list[str]
    """Specs of the games that one network learns; the same compiled rules, planes and actions must serve all.

    Paths of files count from the folder in which the command is started.
    """
    generations: AtLeastOne = 20
    """Rounds of self-play and learning."""
    workers: AtLeastZero = 0
    """Self-play threads, each with trees of its own; they share the network (0: as many as the machine has cores)."""
    processes: AtLeastZero = 1
    """Self-play processes, which share the workers, each on a GPU of its own if there are several (0: one for each)."""
    device: str = "auto"
    """Where self-play and matches run: `auto` (all GPUs, or the processor), `openvino`, `cuda`, `cuda:1`, ..."""
    seed: Annotated[int, msgspec.Meta(ge=0, le=(1 << 63) - 1)] = 0
    """Names every stream of random numbers of the run."""
    mode: Literal["generations", "pipelined"] = "generations"
    """`generations`: self-play, learning, matches in turn; `pipelined`: self-play goes on while the network learns."""
    deterministic: bool = False
    """One worker; the same seed gives the same bytes on a processor (a GPU picks its kernels by their time: hide it by
    `CUDA_VISIBLE_DEVICES=`), and an interrupted self-play of a generation begins anew."""
    start: str = ""
    """A model (path) from which the network begins; it plays generation 0, unless `first_teacher` names another."""
    start_offset: tuple[int, int] = (0, 0)
    """Row and column of a larger board at which linear heads of `start` lie."""
    first_teacher: Literal["auto", "heuristic", "playouts", "uniform"] = "auto"
    """Who plays generation 0: `heuristic`, `playouts` or `uniform`; `auto`: `start`, else the game's heuristic, or
    playouts where it has none."""
    openings_from: tuple[str, ...] = ()
    """Game records (as of `ludus learn-from`) at whose positions `selfplay.opening_share` of the games begin."""
    shares: tuple[GameShares, ...] = ()
    """How self-play is divided among the games, as tables with `shares` and `from_generation`; empty: evenly."""
    network: NetworkSettings = NetworkSettings()
    search: SearchSettings = SearchSettings()
    boost: BoostSettings = BoostSettings()
    selfplay: SelfplaySettings = SelfplaySettings()
    learner: LearnerSettings = LearnerSettings()
    match: MatchSettings = MatchSettings()
    gate: GateSettings = GateSettings()

    def __post_init__(self) -> None:
        """Refuse a run of nothing."""
        super().__post_init__()
        if self.processes != 1 and (self.deterministic or self.mode == "pipelined"):
            raise ValueError('processes other than 1 need mode = "generations" and no deterministic')
        if not 1 <= len(self.games) <= MOST_GAMES:
            raise ValueError(f'games must name 1 to {MOST_GAMES} games, such as ["connect4"]')
        if self.deterministic and (self.workers > 1 or self.mode == "pipelined"):
            raise ValueError('deterministic needs workers = 1 and mode = "generations": threads have no order')
        if self.boost.actions and self.mode == "pipelined":
            raise ValueError('boost needs mode = "generations": pipelined evaluators outlive a generation')
        if self.gate.kind != "off" and self.mode == "pipelined":
            raise ValueError('gate needs mode = "generations": pipelined self-play does not wait for its match')
        if self.gate.kind == "score" and self.match.pairs == 0:
            raise ValueError("gate needs match.pairs above 0 for a share of the points: so many pairs decide")
        if self.network.frozen_generations and not self.start:
            raise ValueError("network.frozen_generations needs start: a body that was never trained must learn")
        if bool(self.openings_from) != (self.selfplay.opening_share > 0.0):
            raise ValueError("openings_from and selfplay.opening_share need each other: name games, and their share")
        if any(len(each.shares) != len(self.games) for each in self.shares):
            raise ValueError("shares must list one number for each of the games")

    @property
    def begins_taught(self) -> bool:
        """Return whether a first teacher plays generation 0, and not the model from which the run starts."""
        return not self.start or self.first_teacher != "auto"

    def progress(self, generation: int) -> float:
        """Return how far a generation is through the run, 0 to 1."""
        return generation / max(1, self.generations - 1)

    def shares_of(self, generation: int) -> tuple[float, ...]:
        """Return the shares of the games in a generation; empty: even ones."""
        found: tuple[float, ...] = ()
        for each in sorted(self.shares, key=lambda each: each.from_generation):
            if each.from_generation <= generation:
                found = each.shares
        return found

    def make_games(self) -> list[Game]:
        """Return the games.

        Raises:
            BadPreset: they cannot share one network, or do not declare what the preset needs.
            BadGame: there is no such game.
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
    """Something that games must have in common to share arrays, a network and compiled rules."""

    what: str
    """How two games differ in it, with room for both values, if they are to be shown."""
    value: object
    remedy: str
    """For who wrote the games."""
    choice: str = "choose boards and options that agree in it, or a network for each"
    """For who can only choose among the built-in ones."""


def _difference(one: Game, other: Game) -> str:
    """Return the first thing that keeps two games from sharing a network, with its remedy; empty if nothing does."""
    kinds = [_shapes, _rules]
    if one.name.split(":")[0] != other.name.split(":")[0]:
        kinds.reverse()  # no frame makes one game of two
    built_in = all(game.name.split(":")[0] in BUILT_IN for game in (one, other))
    for kind in kinds:
        for mine, theirs in zip(kind(one), kind(other), strict=True):
            if mine.value != theirs.value:
                remedy = mine.choice if built_in else mine.remedy
                return f"{mine.what.format(mine.value, theirs.value)}; {remedy}"
    return ""


def _shapes(game: Game) -> list[_Shared]:
    """Return what games have in common that declare the same numbers, as boards in one frame do."""
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
    """Return what games have in common that are played by the same machine code."""
    remedy = "one compiled code must serve both: keep what tells them apart, such as the board's size, in the state"
    remedies = remedy, "train a network for each"
    return [
        *(
            _Shared(f"the code of their rule {rule}() differs", fingerprint(getattr(game.rules, rule)), *remedies)
            for rule in RULES
        ),
        _Shared("the code of their rules differs", game.rules.key, *remedies),
    ]


_HERE = Path(__file__)
PRESETS = next(  # in an installed package, or in a checkout
    (path for path in (_HERE.parents[1] / "presets", _HERE.parents[3] / "presets") if path.is_dir()), Path("presets")
)


def find_preset(name: str) -> Path:
    """Return the file that `name` means: a path, or a preset that ships with Ludus.

    Raises:
        BadPreset: there is neither.
    """
    path = Path(name)
    if path.suffix == ".toml" or path.is_file():
        return path
    shipped = PRESETS / f"{name}.toml"
    if not shipped.is_file():
        known = ", ".join(sorted(each.stem for each in PRESETS.glob("*.toml")))
        raise BadPreset(f"There is no preset {name!r}; shipped: {known}; or give the path of a .toml file.")
    return shipped


def load_preset(name: str) -> Preset:
    """Load a preset by name or path; raises BadPreset with the place and the remedy."""
    path = find_preset(name)
    if path.suffix == ".py" and path.is_file():
        raise BadPreset(
            f'{path}: is a game, not a preset; write a .toml file with name = "{path.stem}" and games = ["{path}"], '
            "and name that."
        )
    return config.load(path, Preset)
