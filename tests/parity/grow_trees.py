"""Grows trees and plays self-play games, and writes every array that came out: `python grow_trees.py OUT.npz`."""

import sys
from pathlib import Path

import numpy as np

import ludus
from ludus.players.group import Group
from ludus.players.instinct import HeuristicEvaluator, RolloutEvaluator
from ludus.search.settings import SearchSettings
from ludus.selfplay.settings import SelfplaySettings
from ludus.selfplay.worker import Quota, run_worker
from ludus.store import Samples

VISITS = {"tictactoe": 120, "connect4": 60, "wallgame:classic:5x5": 24}
SETTINGS = SearchSettings(leaves=3, cache_entries=256)


class Hashed:
    """Pseudo-random answers that depend on the state alone, with all the bits that real ones have."""

    def evaluate_states(self, game, words):
        hashes = np.full(len(words), 1, np.uint64)
        for column in words.T:
            hashes = (hashes ^ column ^ (hashes >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
        draws = np.stack([np.random.default_rng(int(each)).standard_normal(game.num_actions + 3) for each in hashes])
        weights = np.exp(draws[:, -3:])
        return (3 * draws[:, :-3]).astype(np.float32), (weights / weights.sum(1, keepdims=True)).astype(np.float32)


def grow(game, evaluator, visits):
    """Search three positions with noise, play the most visited action in each, search on; return every array."""
    group = Group(game, evaluator, SETTINGS, num_trees=3, max_visits=visits, seed=5)
    start = game.start().state
    second = game.start().play(int(game.start().actions[-1])).state
    for g, state in enumerate((start, second, start)):
        group.plant(g, state.view(np.uint64))
        group.wake(g, visits, noise=True)
    for _ in range(2):
        while group.step():
            pass
        for g in range(3):
            t = group.trees
            root = t.node[g, 0]
            block = slice(int(root["first_child"]), int(root["first_child"]) + int(root["num_children"]))
            best = int(t.child["visits"][g, block].argmax())
            action = int(t.edge[g, int(root["first_edge"]) + best]) & 0xFFFF
            state = t.words[g, 0].copy().view(game.dtype)
            game.rules.play(state, action)
            group.play(g, action, state.view(np.uint64))
    return {name: np.asarray(array) for name, array in zip(group.trees._fields, group.trees, strict=True)}


def play_games(game):
    """Play a few games of self-play; return the samples' arrays."""
    finished: list[Samples] = []
    settings = SelfplaySettings(games=5, parallel=2, visits=16, fast_visits=6, full_share=0.5, halflife=3.0)
    run_worker([game], Hashed(), SETTINGS, settings, Quota(5), finished.append, seed=3, worker=0)
    return vars(Samples.concatenate(finished))


def main(out: Path) -> None:
    arrays: dict[str, np.ndarray] = {}
    with np.errstate(over="ignore"):  # plain Python warns of the overflow that hashes are made of
        for name, visits in VISITS.items():
            game = ludus.game(name)
            arrays |= {f"{name}, {key}": array for key, array in grow(game, Hashed(), visits).items()}
        game = ludus.game("tictactoe")
        arrays |= {f"playouts, {key}": array for key, array in grow(game, RolloutEvaluator(), 60).items()}
        arrays |= {f"self-play, {key}": array for key, array in play_games(game).items()}
        game = ludus.game("wallgame:classic:5x5")
        arrays |= {f"heuristic, {key}": array for key, array in grow(game, HeuristicEvaluator(), 12).items()}
    np.savez(out, **arrays)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
