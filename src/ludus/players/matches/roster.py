"""Finds players by name: the path of a model or a built-in player, with an optional limit after a colon.

A limit in seconds applies to one action; a move of some games has several.

    random                  any legal action
    heuristic:200           the game's heuristic with a search of 200 visits
    playouts:200            random playouts with the same search
    ucb:1000                plain UCB1 with 1000 random playouts
    minimax:4  minimax:1s   minimax 4 actions deep, or for one second (the default)
    solver                  perfect play, in a game that brings a solver
    PATH  PATH:400          a model, with the match's visits or with 400; PATH:1s for one second
    NAME  NAME:400          a model that Ludus ships
    PATH:8,2                a model with 8 visits at temperature 2, in the notation of levels
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from ludus import shipped
from ludus.errors import BadInput, BadModel
from ludus.evaluations.file import Mode
from ludus.games.game import Game
from ludus.games.registry import about
from ludus.games.registry import game as find_game
from ludus.network.checkpoint import load_checkpoint
from ludus.network.config import Shapes
from ludus.players.judging.heuristic import HeuristicEvaluator, PlayoutEvaluator
from ludus.players.matches.search_player import MOST_VISITS_BY_CLOCK, SearchPlayer
from ludus.players.opponents.minimax import MinimaxPlayer
from ludus.players.opponents.minimax.memory import MAX_DEPTH
from ludus.players.opponents.random import RandomPlayer
from ludus.players.opponents.solver import SolverPlayer, no_solver, solved_games
from ludus.players.opponents.ucb import UcbPlayer
from ludus.players.thinking.mind import Mind, namesake
from ludus.protocol.spec import seen_like
from ludus.search.settings import MAX_VISITS, SearchSettings
from ludus.spelling import did_you_mean

MATCH_THREADS = 2  # one large batch at a time: more threads than for one self-play worker
_BUILT_IN = ("random", "heuristic", "playouts", "ucb", "minimax", "solver")
_SECONDS = re.compile(r"(\d+(?:\.\d+)?|\.\d+)s", re.ASCII)
_LIMIT = re.compile(rf"{_SECONDS.pattern}|[1-9]\d*", re.ASCII)
_LEVEL = re.compile(r"([1-9]\d*),(\d+(?:\.\d+)?)", re.ASCII)


class NamedPlayer(Protocol):
    """Interface of a player for matches; the name may be changed to distinguish it from another."""

    name: str
    identity: str
    """Fingerprint of the network's weights and the search settings; empty if the name identifies the player."""

    def go_on(self, games: int) -> None:
        """Switch to the random stream for continuing a match after `games` games."""
        ...

    def choose(self, game: Game, states: NDArray[np.uint64]) -> NDArray[np.int16]:
        """Return one action [K] for each state [K, words]."""
        ...


class _Limit(NamedTuple):
    number: int | None
    """Visits, playouts, or depth in actions."""
    seconds: float | None
    """Seconds for an action."""
    temperature: float = 0.0


_NO_LIMIT = _Limit(None, None)
_A_SECOND = _Limit(None, 1.0)


def games_of(*names: str) -> tuple[str, ...]:
    """Return the games of the first model among the names, else the only game that `solver` plays, else none.

    Raises:
        BadGame: a game's file is missing or invalid.
        BadModel: there is no such model.
    """
    kinds = [_split(name)[0] for name in names]
    model = next((kind for kind in kinds if kind not in _BUILT_IN), None)
    if model is not None:
        info = load_checkpoint(_model_path(model)).info
        asked_by = f"the model {info.name} was trained on it"
        for spec in info.games:
            find_game(spec, asked_by=asked_by)
        return tuple(info.games)
    solved = solved_games() if "solver" in kinds else ()
    return solved if len(solved) == 1 else ()


def is_timed(name: str) -> bool:
    """Return whether the player `name` has a limit in seconds."""
    return _split(name)[1].seconds is not None


def goes_by_visits(name: str) -> bool:
    """Return whether the player `name` has no limit of its own and uses the visits of the match."""
    kind, limit = _split(name)
    return kind not in ("random", "solver") and limit == _NO_LIMIT


def board_for(name: str, spec: str) -> Game:
    """Return the game `spec`; for a model trained in a larger frame, the same game in that frame.

    Raises:
        BadGame: there is no such game.
        BadModel: there is no such model.
    """
    game, kind = find_game(spec), _split(name)[0]
    if kind in _BUILT_IN:
        return game
    info = load_checkpoint(_model_path(kind)).info
    if info.shapes.fit(Shapes.of(game)) or any(namesake(own, game) for own in info.games):
        return game
    frames = [frame for own in info.games if (frame := seen_like(game.name, own))]
    for frame in sorted(frames, key=lambda each: each.cells):
        framed = find_game(frame.spec)
        if info.shapes.fit(Shapes.of(framed)):
            return framed
    return game


def caveat(name: str, *games: Game) -> str:
    """Return a warning if the player `name` is minimax and some games lack the rule `survey`; otherwise "".

    Minimax is not refused, since it plays small games well without that rule.
    """
    unknown = [game.name for game in games if not game.has_rule("survey")]
    if _split(name)[0] != "minimax" or not unknown:
        return ""
    return (
        f"{name}: {', '.join(unknown)} has no survey for minimax, so it only recognises the ends of games within its "
        "depth, and otherwise plays the first legal action."
    )


def find_player(
    name: str, *games: Game, visits: int, seed: int = 0, evaluations: Path | None = None, mode: Mode = "read"
) -> NamedPlayer:
    """Return the player `name`.

    Args:
        name: a name of the table at the top of this file.
        games: the games of the match, all of which the player must play.  A model reads the planes of its training,
            whatever plane options the specs have.
        visits: visits of a search if the name has no limit.
        seed: seed of the random streams.
        evaluations: an evaluation file of the model for the first game.
        mode: `append` to add the model's new evaluations to that file.

    Raises:
        BadInput: the limit is invalid for this player, the file belongs to another model or game, or a game has no
            heuristic for a heuristic player.
        BadModel: there is no such model, or it cannot play a game.
    """
    kind, limit = _split(name)
    _check_games(name, kind, games)
    if kind in _BUILT_IN and evaluations is not None:
        raise BadInput(f"{evaluations}: {kind} has no network and no evaluation file; name a model.")
    if kind == "random":
        return RandomPlayer(seed)
    if kind == "solver":
        return SolverPlayer(seed)
    if kind == "minimax":
        return _minimax(name, limit)
    if kind == "ucb":
        if limit.seconds is not None:
            raise BadInput(f"{name}: write the number of playouts after the colon, such as ucb:1000.")
        number = limit.number or visits
        return UcbPlayer(_label(kind, number, None), playouts=number, seed=seed)
    number = limit.number or (visits if limit.seconds is None else MOST_VISITS_BY_CLOCK)
    if kind in _BUILT_IN:
        evaluator = HeuristicEvaluator() if kind == "heuristic" else PlayoutEvaluator(seed=seed)
        search = SearchSettings(cache_entries=0)
        label = _label(kind, number, limit.seconds)
        return SearchPlayer(label, evaluator, search, visits=number, seconds=limit.seconds, seed=seed)
    mind = Mind.load(_model_path(kind), threads=MATCH_THREADS)
    seen_as = {game.name: mind.seen_as(game) for game in games}
    evaluator = mind.evaluator
    if evaluations is not None:
        first = seen_as[games[0].name]
        mind.attach(evaluations, mode, game=first)
        evaluator = mind.evaluator_of(first)
    label = mind.name if mind.info.generation == 0 else f"{mind.name}-g{mind.info.generation}"
    label = _label(label, number, limit.seconds) + (f",{limit.temperature:g}" if limit.temperature else "")
    return SearchPlayer(
        label,
        evaluator,
        visits=number,
        seconds=limit.seconds,
        temperature=limit.temperature,
        seed=seed,
        seen_as=seen_as,
        identity=f"{mind.weights}/{_fingerprint(mind.search)}" + ("/int8" if mind.precision == "int8" else ""),
    )


def _model_path(name: str) -> Path:
    """Return the path of a model; raises BadModel for a word that is neither a path nor a player."""
    path = shipped.model(Path(name))
    if path.name != name or path.suffix == ".safetensors" or path.exists():
        return path
    near = did_you_mean(name, _BUILT_IN)
    players = f"players are {', '.join(_BUILT_IN)}{f'; {near}' if near else '.'}"
    raise BadModel(f"{name!r} is neither a model's path or name nor a player; {players}")


def _check_games(name: str, kind: str, games: Sequence[Game]) -> None:
    for game in games:
        if kind == "solver" and not about(game.name).solver:
            raise no_solver(game)
        if kind == "heuristic" and not game.has_rule("heuristic"):
            raise BadInput(f"{name}: {game.name} has no heuristic; name playouts or ucb instead.")


def _fingerprint(search: SearchSettings) -> str:
    return hashlib.sha256(msgspec.json.encode(search)).hexdigest()[:8]


def _minimax(name: str, limit: _Limit) -> MinimaxPlayer:
    if limit.number is not None and limit.number > MAX_DEPTH:
        raise BadInput(f"{name}: minimax looks at most {MAX_DEPTH} actions ahead.")
    label = _label("minimax", limit.number, limit.seconds)
    return MinimaxPlayer(label, depth=limit.number or MAX_DEPTH, seconds=limit.seconds)


def _label(kind: str, number: int | None, seconds: float | None) -> str:
    return f"{kind}@{number}" if seconds is None else f"{kind}@{seconds:g}s"


def _split(name: str) -> tuple[str, _Limit]:
    """Split a name into the player and the limit; raises BadInput if the limit is invalid."""
    kind, _, text = name.partition(":")
    if kind not in _BUILT_IN:
        path, colon, text = name.rpartition(":")
        level = _LEVEL.fullmatch(text)
        if colon and level:
            return path, _limit(name, level[1])._replace(temperature=float(level[2]))
        if colon and _LIMIT.fullmatch(text):
            return path, _limit(name, text)
        if colon and not Path(name).exists() and Path(path).exists():
            raise BadInput(f"{name}: write visits or seconds after the colon, such as {path}:100 or {path}:1s.")
        return name, _NO_LIMIT
    if not text:
        return kind, _A_SECOND if kind == "minimax" else _NO_LIMIT
    if kind in ("random", "solver"):
        raise BadInput(f"{name}: {kind} needs no limit; leave out the colon and what follows it.")
    if not _LIMIT.fullmatch(text):
        if kind == "minimax":
            raise BadInput(f"{name}: write the depth or the seconds after the colon, such as minimax:4 or minimax:1s.")
        what = "number of playouts" if kind == "ucb" else "number of visits"
        raise BadInput(f"{name}: write the {what} after the colon, such as {kind}:100.")
    return kind, _limit(name, text)


def _limit(name: str, text: str) -> _Limit:
    seconds = _SECONDS.fullmatch(text)
    if seconds and float(seconds[1]) == 0.0:
        raise BadInput(f"{name}: an action needs some time; write more than 0 seconds, such as 0.5s.")
    if seconds:
        return _Limit(None, float(seconds[1]))
    if int(text) > MAX_VISITS:
        raise BadInput(f"{name}: the limit must be at most {MAX_VISITS:,}.")
    return _Limit(int(text), None)
