"""Finds players by name: a model's path, `random`, `heuristic:VISITS` or `playouts:VISITS`."""

from __future__ import annotations

from pathlib import Path

from ludus.errors import BadInput
from ludus.games.game import Game
from ludus.network.checkpoint import load_checkpoint
from ludus.players.instinct import HeuristicEvaluator, RolloutEvaluator
from ludus.players.match import RandomPlayer, SearchPlayer
from ludus.players.mind import Mind
from ludus.search.settings import SearchSettings

MATCH_THREADS = 2  # one large batch at a time: more threads than for one self-play worker
_BUILT_IN = ("random", "heuristic", "playouts")


def games_of(name: str) -> tuple[str, ...]:
    """Return the specs that a model was trained on; empty for built-in players."""
    return () if name.split(":")[0] in _BUILT_IN else tuple(load_checkpoint(Path(name)).info.games)


def find_player(name: str, *games: Game, visits: int, seed: int = 0) -> SearchPlayer | RandomPlayer:
    """Return the player that `name` means.

    Args:
        name: a model's path, or a built-in player with its own number of visits (`heuristic:100`).
        games: what is played; a model must fit all of them.
        visits: of a model's move.
        seed: names random streams.

    Raises:
        BadInput: the number of visits is no number.
        BadModel: there is no such model, or it does not fit a game.
    """
    kind, _, number = name.partition(":")
    if kind not in _BUILT_IN:
        mind = Mind.load(name, threads=MATCH_THREADS)
        for game in games:
            mind.check(game)
        label = mind.name if mind.info.generation == 0 else f"{mind.name}-g{mind.info.generation}"
        return SearchPlayer(f"{label}@{visits}", mind.evaluator, visits=visits, seed=seed)
    if kind == "random":
        return RandomPlayer(seed)
    if number and not (number.isdecimal() and int(number) > 0):
        raise BadInput(f"{name}: write the number of visits after the colon, such as {kind}:100.")
    own = int(number or visits)
    evaluator = HeuristicEvaluator() if kind == "heuristic" else RolloutEvaluator(seed=seed)
    return SearchPlayer(f"{kind}@{own}", evaluator, SearchSettings(cache_entries=0), visits=own, seed=seed)
