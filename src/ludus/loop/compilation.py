"""Fills the cache of compiled code for a game, by doing a little of all that people, programs and runs do with it.

Machine code belongs to the code of a game's rules and serves all boards and options that share it, so each such group
of games is compiled once.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ludus import shipped
from ludus.errors import BadGame
from ludus.games.behaviour import behaviour
from ludus.games.check.run import check
from ludus.games.game import Game
from ludus.games.registry import about, brought, names
from ludus.games.registry import game as find_game
from ludus.learner.settings import LearnerSettings
from ludus.loop.preset import PRESETS, MatchSettings, Preset, load_preset
from ludus.network.checkpoint import FILE, Checkpoint, ModelInfo, array_shapes, load_checkpoint
from ludus.network.config import NetworkSettings, Shapes
from ludus.network.openvino import evaluator_of
from ludus.players.judging.heuristic import FallbackEvaluator, PlayoutEvaluator
from ludus.players.matches.roster import find_player
from ludus.players.thinking.heuristic_mind import HeuristicMind
from ludus.players.thinking.mind import Mind
from ludus.players.thinking.seat import Limits, Seat
from ludus.protocol.spec import spec_in_play
from ludus.search.settings import SearchSettings
from ludus.selfplay.settings import SelfplaySettings

_TINY = NetworkSettings(blocks=1, channels=4, head_channels=2)
_FEW = 4  # visits of a search


def games_in_use(models: Sequence[Path]) -> list[str]:
    """Return the games that presets, models and bots without a model play, without duplicates.

    Args:
        models: folders of models, besides those that Ludus ships with and that games bring.
    """
    found = [spec for file in sorted(PRESETS.glob("*.toml")) for spec in load_preset(str(file)).games]
    for folder in (*models, shipped.folder("models"), *brought("models")):
        for file in sorted(folder.glob(f"*/{FILE}")):
            found += load_checkpoint(file).info.games
    for name in names():
        told = about(name)
        boards = (*told.heuristic_boards, *told.trial_boards)
        found += [":".join(filter(None, (name, board))) for board in boards]
    return [*dict.fromkeys(found)]


def groups(specs: Iterable[str]) -> list[Game]:
    """Return one game of each group that shares compiled code, also in the form in which sites and engines play it.

    Raises:
        BadGame: a game does not exist.
    """
    found: dict[str, Game] = {}
    for spec in specs:
        for form in (spec, spec_in_play(spec)):
            game = find_game(form)
            found.setdefault(game.rules.key, game)
    return [*found.values()]


def steps(game: Game, train: Callable[[Preset, Path], object] | None) -> dict[str, Callable[[], None]]:
    """Return the work that compiles the code of a game, by what it is for.

    Each of them raises BadGame if the rules do not compile.

    Args:
        game: the game.
        train: trains a network in a new folder; None: training is not compiled.
    """
    work = {
        "rules": lambda: _check(game),
        "search": lambda: _search(game),
        "opponents": lambda: _oppose(game),
        "network": lambda: _evaluate(game),
    }
    return work | ({"training": lambda: _train(game, train)} if train else {})


def _check(game: Game) -> None:
    if breach := check(game, 1).breach:
        raise BadGame(f"{game.name}: `ludus check` finds a fault in the rules ({breach.law}); mend it first.")


def _search(game: Game) -> None:
    """Search as engines do, without a network."""
    mind = HeuristicMind(games=(game.name,))
    try:
        _visit(mind.seat(game.start()))
    finally:
        mind.close()
    for evaluator in (PlayoutEvaluator(), FallbackEvaluator()):
        evaluator.evaluate_states(game, _first(game))


def _visit(seat: Seat) -> None:
    seat.warm_up()
    if not seat.position.outcome:
        seat.expected_maps()
        seat.ask_within(Limits(_FEW, only=(int(seat.position.actions[0]),))).result()


def _oppose(game: Game) -> None:
    """Let the fixed opponents of matches choose one action each."""
    for name in ("random", "minimax:1", f"ucb:{_FEW}", f"playouts:{_FEW}"):
        find_player(name, game, visits=_FEW).choose(game, _first(game))


def _first(game: Game) -> NDArray[np.uint64]:
    """Return the first state of a game as a batch [1, W]."""
    return game.for_search(game.start_state()).view(np.uint64)[None]


def _evaluate(game: Game) -> None:
    """Search with a tiny network whose weights are all 0, and with an evaluation file."""
    shapes = Shapes.of(game)
    arrays = {name: np.zeros(shape, np.float32) for name, shape in array_shapes(_TINY, shapes).items()}
    info = ModelInfo("compilation", _TINY, shapes, {game.name: behaviour(game)})
    with tempfile.TemporaryDirectory(prefix="ludus-") as folder:
        mind = Mind(Checkpoint(info, arrays), evaluator_of(Checkpoint(info, arrays)))
        try:
            mind.attach(Path(folder) / "positions.ev", "append")
            _visit(mind.seat(game.start()))
        finally:
            mind.close()


def _train(game: Game, train: Callable[[Preset, Path], object]) -> None:
    """Train a tiny network."""
    preset = Preset(
        name="compilation",
        games=[game.name],
        generations=2,
        workers=1,
        network=_TINY,
        search=SearchSettings(cache_entries=256),
        selfplay=SelfplaySettings(games=4, first_games=4, parallel=2, visits=2, fast_visits=2, fork_share=0.5),
        learner=LearnerSettings(batch=8, max_steps=1),
        match=MatchSettings(pairs=1, visits=2, previous=(1,), anchor_visits=2, anchor_every=1),
    )
    with tempfile.TemporaryDirectory(prefix="ludus-") as folder:
        train(preset, Path(folder))
