"""Search by every method, play games, and write all resulting arrays: `python grow_trees.py OUT.npz`.

With `--full`, every method starts at every position; otherwise, games that are slow in plain Python use only three.
"""

import sys
from pathlib import Path

import numpy as np

import ludus
from ludus.players.judging.heuristic import HeuristicEvaluator, PlayoutEvaluator
from ludus.players.thinking.group import Group
from ludus.search.settings import SearchSettings
from ludus.selfplay.settings import SelfplaySettings
from ludus.selfplay.source import Quota, Source
from ludus.selfplay.worker_pool import run_worker
from ludus.store import Samples

METHODS = {
    "puct": {"noise_share": 0.0},
    "growing cpuct": {"noise_share": 0.0, "cpuct": 1.25, "cpuct_base": 30.0, "fpu_reduction": 0.3},
    "noise": {"noise_share": 0.25},
    "shaped noise": {"noise_share": 0.4, "noise_shaped": 0.5, "noise_alpha": 1.7},
    "root temperature": {"noise_share": 0.0, "root_temperature": 1.25},
    "forced playouts": {"noise_share": 0.25, "forced_playouts": 2.0},
    "gumbel": {"gumbel_actions": 4, "gumbel_scale": 0.1},
    "gumbel with all": {"gumbel_actions": 40, "gumbel_visits": 10.0, "leaves": 3, "cache_entries": 64},
    "bound": {"choice": "bound", "fpu_reduction": -0.5, "cache_entries": 64},
    "several leaves": {"leaves": 5},
    "unproved": {"proofs": False, "noise_share": 0.1},
    "blind": {"foresight": False, "noise_share": 0.15},
    "for play": {"cpuct": 1.0},
    "symmetries": {"root_symmetries": 2, "leaves": 2, "policy_temperature": 1.25},
    "everything": {
        "leaves": 3,
        "cache_entries": 256,
        "noise_shaped": 0.5,
        "root_temperature": 1.1,
        "forced_playouts": 2.0,
        "cpuct_base": 100.0,
        "choice": "bound",
    },
}
# Game -> visits, methods: small games for proofs, wide ones for widening (with reused and explored roots).
TREES = {
    "tictactoe": (60, ("puct", "for play", "gumbel", "several leaves", "unproved")),
    "connect4": (30, tuple(METHODS)),
    "wallgame:classic:4x4": (40, ("everything", "gumbel with all", "symmetries")),
}
GAMES = {
    "plain": ({"leaves": 3, "cache_entries": 256}, {}),
    "forced": ({"forced_playouts": 2.0}, {"fork_share": 0.5, "resign_moves": 2, "resign_below": -0.2}),
    "gumbel": ({"gumbel_actions": 4}, {"reuse": False, "resign_moves": 1, "resign_below": -0.3, "groups": 2}),
}


class Hashed:
    """An evaluator with pseudo-random answers that depend on the state only, with all bits in use."""

    def evaluate_states(self, game, words):
        hashes = np.full(len(words), 1, np.uint64)
        for column in words.T:
            hashes = (hashes ^ column ^ (hashes >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
        draws = np.stack([np.random.default_rng(int(each)).standard_normal(game.num_actions + 3) for each in hashes])
        weights = np.exp(draws[:, -3:])
        return (3 * draws[:, :-3]).astype(np.float32), (weights / weights.sum(1, keepdims=True)).astype(np.float32)


class HashedPlanes:
    """An evaluator with pseudo-random answers that depend on the planes, for searches with symmetries."""

    def __init__(self, game):
        self.game = game

    def lane(self, batch):
        self.planes, self.count = np.zeros((batch, *self.game.planes), np.uint8), 0
        return self

    def submit(self, count):
        self.count = count

    def answer(self):
        padded = np.zeros((self.count, -(-self.planes[0].size // 8) * 8), np.uint8)
        padded[:, : self.planes[0].size] = self.planes[: self.count].reshape(self.count, -1)
        return Hashed().evaluate_states(self.game, padded.view(np.uint64))


def late(game, actions):
    """Return an unfinished state after a number of actions."""
    position = game.start()
    for k in range(actions):
        going_on = [action for action in position.actions if not position.play(action).outcome]
        position = position.play(going_on[7 * k % len(going_on)])
    return position.state


def grow(game, evaluator, visits, settings, *, few=False, explores=True):
    """Search some positions, play the best action in each, and continue the search; return all arrays and choices.

    If the game has the rule `foresee`, which is slow in plain Python, late positions are among them; with `few`, such
    games use only a few positions.
    """
    states = [game.start().state, game.start().play(int(game.start().actions[-1])).state, game.start().state]
    states += [late(game, 20), late(game, 25)] if game.has_rule("foresee") else []
    actions_left = [4 if g == 2 else 0 for g in range(len(states))]
    if few and game.has_rule("foresee"):
        states, actions_left = states[1:4], actions_left[1:4]
    settings = SearchSettings(**({"cache_entries": 0} | settings))
    group = Group(game, evaluator, settings, num_trees=len(states), max_visits=visits)
    for g, state in enumerate(states):
        group.new_tree(g, state.view(np.uint64), actions_left=actions_left[g])
    chosen = []
    for _ in range(3):
        for g in range(len(states)):
            group.set_target(g, visits, explores=explores)
        while group.step():
            pass
        for g in range(len(states)):
            chosen.append(group.best(g))
            state = group.trees.words[g, 0].copy().view(game.dtype)
            if not group.trees.child["proof"][g, 0]:
                game.rules.play(state, chosen[-1])
                group.play(g, chosen[-1], state.view(np.uint64))
    arrays = {name: np.asarray(array) for name, array in zip(group.trees._fields, group.trees, strict=True)}
    return arrays | {"chosen": np.array(chosen), "cache": group.cache.words}


def play_games(game, search, changed):
    """Play a few games of self-play; return the samples' arrays and the report."""
    finished: list[Samples] = []
    settings = SelfplaySettings(**({"parallel": 2, "visits": 14, "fast_visits": 5, "full_share": 0.5} | changed))
    source = Source(Hashed(), network=3)
    search = SearchSettings(**({"cache_entries": 0} | search))
    report = run_worker([game], source, search, settings, Quota(6), finished.append, seed=3, worker=0, progress=0.5)
    samples = vars(Samples.concatenate(finished))
    return samples | {"report": np.array([*report.counters.values(), report.played_out, report.wrongly_resigned])}


def main(out: Path, *, full: bool) -> None:
    arrays: dict[str, np.ndarray] = {}
    with np.errstate(over="ignore"):  # hashing overflows on purpose
        for name, (visits, methods) in TREES.items():
            game = ludus.game(name)
            for method in methods:
                evaluator = HashedPlanes(game) if "root_symmetries" in METHODS[method] else Hashed()
                few = not full and method not in ("puct", "everything")
                grown = grow(game, evaluator, visits, METHODS[method], few=few, explores=method != "for play")
                arrays |= {f"{name} {method}, {key}": array for key, array in grown.items()}
        game = ludus.game("tictactoe")
        arrays |= {f"playouts, {key}": array for key, array in grow(game, PlayoutEvaluator(), 40, {}).items()}
        game = ludus.game("wallgame:classic:4x4")
        arrays |= {f"heuristic, {key}": array for key, array in grow(game, HeuristicEvaluator(), 12, {}).items()}
        for name, settings in GAMES.items():
            played = play_games(ludus.game("tictactoe"), *settings)
            arrays |= {f"games {name}, {key}": array for key, array in played.items()}
    np.savez(out, **arrays)


if __name__ == "__main__":
    main(Path(sys.argv[1]), full="--full" in sys.argv)
