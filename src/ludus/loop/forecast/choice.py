"""Chooses the preset of a run from the shape of a game and from this machine, and writes it as a file to be edited.

The first networks should come within a minute or two, so the generations are short: a generation has about as many
positions for every game, more if the machine is faster.  Larger boards get larger networks and more visits.
"""

from __future__ import annotations

from typing import Any, NamedTuple, cast

import msgspec

from ludus import config
from ludus.cores import usable_cores
from ludus.games.check.run import Report
from ludus.games.game import Game
from ludus.learner.settings import LearnerSettings
from ludus.loop.preset import MatchSettings, Preset
from ludus.network.config import NetworkSettings
from ludus.rating import GateSettings
from ludus.search.settings import SearchSettings
from ludus.selfplay.settings import SelfplaySettings

POSITIONS = 7500
"""Positions of a generation on two cores: 250 games of 30 actions, seconds on small boards."""
FEWEST_GAMES, MOST_GAMES = 60, 800  # on two cores
FIRST_SHARE = 2.4  # games of generation 0, compared with later ones: playouts and heuristics are cheaper than networks
PLAYOUT_ACTIONS = 20e6  # actions of the playouts of generation 0 on two cores: at most about 20 s
USUAL_CORES = 2
MOST_SPEED_UP = 16
GPU_SPEED_UP = 8
GENERATIONS = 30
HEADER = """\
# {title}: settings that `ludus grow` chose for this game on a machine with {machine}.
# Edit them and start the command again: the run goes on. In a run that has begun only some may change
# (docs/how-to/train.md lists them); for other changes give a new directory (--run). docs/reference/presets.md describes
# all settings.
"""


class Machine(NamedTuple):
    """What a machine has for training."""

    cores: int
    has_gpu: bool

    def __str__(self) -> str:
        """Return a phrase such as `2 cores and no GPU`."""
        return f"{self.cores} core{'s' * (self.cores > 1)} and {'a' if self.has_gpu else 'no'} GPU"

    @property
    def speed_up(self) -> float:
        """Return how many times faster than two cores it is expected to be."""
        by_cores = min(MOST_SPEED_UP, max(1.0, self.cores / USUAL_CORES))
        return max(by_cores, GPU_SPEED_UP) if self.has_gpu else by_cores


class _Size(NamedTuple):
    """Settings for boards of up to a number of cells."""

    cells: float
    on_cpu: tuple[int, int, int]
    """Blocks, channels, and channels of the heads."""
    on_gpu: tuple[int, int, int]
    visits: int
    fast_visits: int
    match_visits: int


SIZES = (
    _Size(36, (3, 32, 8), (4, 64, 16), 48, 12, 20),
    _Size(64, (4, 32, 8), (6, 64, 16), 64, 16, 32),
    _Size(121, (4, 48, 16), (8, 96, 32), 96, 24, 48),
    _Size(float("inf"), (6, 64, 32), (10, 128, 32), 128, 32, 64),
)


def this_machine() -> Machine:
    """Return what this process may use of this machine."""
    from ludus.network.backends import available  # imports torch, which takes a second

    return Machine(usable_cores(), any(name.startswith("cuda") for name in available()))


def choose_preset(game: Game, name: str, seen: Report, machine: Machine) -> Preset:
    """Return the preset for a game.

    Args:
        game: the game.
        name: name of the model to train.
        seen: statistics of random games of this game.
        machine: the machine that trains.
    """
    cells = game.planes[1] * game.planes[2]
    size = next(each for each in SIZES if cells <= each.cells)
    blocks, channels, head_channels = size.on_gpu if machine.has_gpu else size.on_cpu
    has_places = bool(game.action_places) and cells > SIZES[0].cells
    games = max(FEWEST_GAMES, min(MOST_GAMES, POSITIONS / max(1.0, seen.mean_length))) * machine.speed_up
    return Preset(
        name=name,
        games=[game.name],
        generations=GENERATIONS,
        network=NetworkSettings(
            blocks=blocks,
            channels=channels,
            head_channels=head_channels,
            heads="size-free" if has_places else "linear",
            pooling_every=2 if has_places else 0,
        ),
        search=SearchSettings(noise_alpha=round(min(1.0, max(0.05, 10 / max(1.0, seen.mean_branching))), 2)),
        selfplay=SelfplaySettings(
            games=_rounded(games),
            first_games=_rounded(_first_games(game, games, seen.mean_length, size, machine)),
            parallel=256 if machine.has_gpu else 64,
            groups=2 if machine.has_gpu else 1,
            visits=size.visits,
            fast_visits=size.fast_visits,
            random_actions=min(4, round(seen.mean_length / 4)),
        ),
        learner=LearnerSettings(batch=512 if machine.has_gpu else 256),
        match=MatchSettings(pairs=15, visits=size.match_visits, opening_actions=min(4, round(seen.mean_length / 4))),
        gate=GateSettings(kind="score", score=0.5),
    )


def _first_games(game: Game, games: float, length: float, size: _Size, machine: Machine) -> float:
    """Return the number of games of generation 0: fewer if long playouts would make it slow."""
    if game.has_rule("heuristic"):
        return FIRST_SHARE * games
    usual = SelfplaySettings(visits=size.visits, fast_visits=size.fast_visits)
    actions = usual.mean_visits(1.0) * length * length / 2  # of the playouts of a game
    affordable = PLAYOUT_ACTIONS * machine.cores / USUAL_CORES / actions
    return max(games, min(FIRST_SHARE * games, affordable))


def as_file(preset: Preset, title: str, machine: Machine) -> str:
    """Return the text of a preset's file: the settings that differ from their defaults, below some words."""
    usual = cast(dict[str, Any], msgspec.to_builtins(Preset(name="", games=preset.games)))
    chosen = _differences(cast(dict[str, Any], msgspec.to_builtins(preset)), usual)
    shown = {"name": preset.name, "games": preset.games, "generations": preset.generations, **chosen}
    return HEADER.format(title=title, machine=machine) + config.dump_table(shown)


def _differences(own: dict[str, Any], usual: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in own.items():
        if isinstance(value, dict):
            if inner := _differences(cast(dict[str, Any], value), usual[name]):
                found[name] = inner
        elif value != usual[name]:
            found[name] = value
    return found


def _rounded(count: float) -> int:
    """Round a number of games to a multiple of 10, below 100 to a multiple of 5."""
    power = 10 if count >= 100 else 5
    return max(power, power * round(count / power))
