"""How many visits a search tree has room for within some memory."""

import numpy as np

from ludus.games.game import Game
from ludus.search.tree import make_trees

LEAST_VISITS = 100
SCHEDULE = 16  # bytes that a group's settings take for each visit


def visits_within(game: Game, megabytes: int) -> int:
    """Return the most visits of a tree of `game` whose memory, and what moving its root takes, fits."""
    return max(LEAST_VISITS, int(megabytes * 2**20 / bytes_per_visit(game)))


def bytes_per_visit(game: Game) -> float:
    """Return the memory that a tree sets aside for each visit that it may have."""
    small, large = (_bytes(game, nodes) for nodes in (1_000, 2_000))
    return (large - small) / 1_000 + SCHEDULE


def _bytes(game: Game, nodes: int) -> int:
    trees = make_trees(
        1,
        np.zeros((1, *game.planes), np.uint8),
        state_words=game.state_words,
        dtype=game.dtype,
        max_legal=game.max_legal,
        max_nodes=nodes,
    )
    return sum(getattr(trees, name).nbytes for name in trees._fields if name != "states")  # which are the words
