"""Two fingerprints of what a game's rules do: with and without the network's planes.

`Rules.key` hashes byte code, which differs between Python versions.  These fingerprints hash what the rules return in
a few fixed games (legal actions, outcomes, planes), so a model file loads on any Python version, and is refused when
the rules have changed.
"""

import hashlib
import time
from collections.abc import Iterator
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ludus.games.blame import Blaming
from ludus.games.calls import RULES
from ludus.games.game import Game
from ludus.games.rules import ONGOING, State

NUM_GAMES, MAX_ACTIONS = 3, 24
SLOW_S = 0.05  # seconds; a plain `encode` that takes longer is replaced by the compiled one


@lru_cache(maxsize=256)
def behaviour(game: Game) -> str:
    """Return 16 hexadecimal digits that change when the rules, the planes or the action numbers change."""
    digest = hashlib.sha256(repr((game.planes, game.plane_scale, game.num_actions)).encode())
    is_slow = False
    with Blaming(game.name):
        for state, outcome, actions in _walk(game):
            planes, begun = np.zeros(game.planes, np.uint8), time.perf_counter()
            if is_slow:
                RULES["encode"].entry(game.rules, state, planes)
            else:
                game.rules.encode(state, planes)
            is_slow = is_slow or time.perf_counter() - begun > SLOW_S
            digest.update(planes.tobytes())
            digest.update(bytes([outcome, int(game.rules.to_play(state))]))
            digest.update(actions.tobytes())
    return digest.hexdigest()[:16]


@lru_cache(maxsize=256)
def rules_fingerprint(game: Game) -> str:
    """Return 16 hexadecimal digits that change when the rules or the action numbers change; planes do not count."""
    digest = hashlib.sha256(repr((game.num_actions, game.max_actions)).encode())
    with Blaming(game.name):
        for state, outcome, actions in _walk(game):
            digest.update(state.tobytes() + bytes([outcome, int(game.rules.to_play(state))]) + actions.tobytes())
    return digest.hexdigest()[:16]


def same_rules(one: Game, other: Game) -> bool:
    """Return whether two games agree in states, actions and outcomes throughout a few fixed games."""
    return rules_fingerprint(one) == rules_fingerprint(other)


def _walk(game: Game) -> Iterator[tuple[State, int, NDArray[np.int32]]]:
    """Yield the positions of a few fixed games: state, outcome and legal actions (empty when the game is over)."""
    actions = np.zeros(game.max_legal, np.int16)
    choice = 1
    with np.errstate(over="ignore"):
        for _ in range(NUM_GAMES):
            state = game.start_state()
            for _ in range(MAX_ACTIONS):
                outcome = int(game.rules.outcome(state))
                if outcome != ONGOING:
                    yield state, outcome, np.zeros(0, np.int32)
                    break
                count = int(game.rules.legal(state, actions))
                legal = np.sort(actions[:count]).astype(np.int32)
                yield state, outcome, legal
                choice = (choice * 1103515245 + 12345) & 0x7FFFFFFF
                game.rules.play(state, int(legal[(choice >> 8) % count]))
