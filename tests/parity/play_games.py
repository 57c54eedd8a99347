"""Print the rules' answers in random games, compiled or plain: `python play_games.py GAME=GAMES ...`."""

import hashlib
import sys

import numpy as np

import ludus
from ludus.games.check.guard import Guarded
from ludus.games.check.laws import look
from ludus.kernel import COMPILED
from ludus.seeding import stream

MAX_ACTIONS = 60


def lines(name, num_games):
    """Yield a line with all answers of the rules for every position of some random games."""
    game = ludus.game(name)
    rules = Guarded(game, compiled=COMPILED)
    for number in range(num_games):
        rng = stream(0, "parity", name, number)
        state = game.start_state()
        for ply in range(MAX_ACTIONS):
            sight = look(rules, state)
            symmetry = 1 + ply % (game.num_symmetries - 1) if game.num_symmetries > 1 else 0
            image = rules.symmetric_state(state, symmetry) if symmetry else state
            moved = [
                rules.number("symmetric_action", state, symmetry, action) if symmetry else action
                for action in sight.legal
            ]
            planes = hashlib.sha256(sight.planes).hexdigest()[:12]
            weights = hashlib.sha256(sight.weights).hexdigest()[:12]
            yield (
                f"{name} {number}.{ply} {state.tobytes().hex()} to_play {sight.to_play} outcome {sight.outcome} "
                f"legal {sight.legal} planes {planes} weights {weights} image {image.tobytes().hex()} {moved}"
            )
            if sight.is_over:
                break
            state = rules.play(state, int(rng.choice(sight.legal)))


if __name__ == "__main__":
    with np.errstate(over="ignore"):
        for wanted in sys.argv[1:]:
            game, _, num_games = wanted.partition("=")
            print(*lines(game, int(num_games)), sep="\n")
