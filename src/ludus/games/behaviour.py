"""The fingerprint of a game's behaviour: what a model was trained on, told apart from what it merely resembles.

`Rules.key` hashes byte code, which differs between Python versions; this hashes what the rules *do* in a few fixed
games (legal actions, planes, outcomes), so a model made elsewhere loads here, and refuses rules that changed meaning.
"""

import hashlib
from functools import lru_cache

import numpy as np

from ludus.games.game import ONGOING, Game

NUM_GAMES, MAX_ACTIONS = 3, 24


def behaviour(game: Game) -> str:
    """Return 16 hexadecimal digits that change when rules, planes or the numbering of actions change."""
    return _behaviour(game)


@lru_cache(maxsize=256)
def _behaviour(game: Game) -> str:
    digest = hashlib.sha256(repr((game.planes, game.plane_scale, game.num_actions)).encode())
    actions = np.zeros(game.max_legal, np.int16)
    choice = 1
    with np.errstate(over="ignore"):
        for _ in range(NUM_GAMES):
            state = game.start_state()
            for _ in range(MAX_ACTIONS):
                outcome = int(game.rules.outcome(state))
                planes = np.zeros(game.planes, np.uint8)
                game.rules.encode(state, planes)
                digest.update(planes.tobytes())
                digest.update(bytes([outcome, int(game.rules.to_play(state))]))
                if outcome != ONGOING:
                    break
                count = int(game.rules.legal(state, actions))
                digest.update(np.sort(actions[:count]).astype(np.int32).tobytes())
                choice = (choice * 1103515245 + 12345) & 0x7FFFFFFF
                game.rules.play(state, int(np.sort(actions[:count])[(choice >> 8) % count]))
    return digest.hexdigest()[:16]
