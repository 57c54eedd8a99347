"""The fingerprint of a game's behaviour: what a model was trained on, told apart from what it merely resembles.

`Rules.key` hashes byte code, which differs between Python versions; this hashes what the rules *do* in a few fixed
games (legal actions, planes, outcomes), so a model made elsewhere loads here, and refuses rules that changed meaning.
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
SLOW_S = 0.05  # when planes take Python longer, machine code writes the others


@lru_cache(maxsize=256)
def behaviour(game: Game) -> str:
    """Return 16 hexadecimal digits that change when rules, planes or the numbering of actions change."""
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
    """Return 16 hexadecimal digits that change when rules or the numbering of actions change, whatever the planes."""
    digest = hashlib.sha256(repr((game.num_actions, game.max_actions)).encode())
    with Blaming(game.name):
        for state, outcome, actions in _walk(game):
            digest.update(state.tobytes() + bytes([outcome, int(game.rules.to_play(state))]) + actions.tobytes())
    return digest.hexdigest()[:16]


def same_rules(one: Game, other: Game) -> bool:
    """Return whether two games have the same states, actions and rules, as far as a few fixed games show them."""
    return rules_fingerprint(one) == rules_fingerprint(other)


def _walk(game: Game) -> Iterator[tuple[State, int, NDArray[np.int32]]]:
    """Yield the states of a few fixed games, with their outcomes and legal actions, none where a game is over."""
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
