"""How strong a model is against another that sees other planes of the same rules, in paired games from random openings.

    python bench/other_planes.py models/wallgame-small/model.safetensors OLDER.safetensors --visits 200 --pairs 40

The first model's games are played; the second sees each through the game at the same place of its own list.
"""

import argparse
import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ludus.arena import play_match
from ludus.games.game import Game
from ludus.games.registry import game as find_game
from ludus.network.checkpoint import load_checkpoint
from ludus.network.openvino import evaluator_of
from ludus.players.match import SearchPlayer


class Seeing:
    """A player of games with the same states, actions and rules, who sees planes of its own."""

    def __init__(self, path: Path, played: list[Game], *, visits: int, seconds: float | None) -> None:
        checkpoint = load_checkpoint(path)
        own = [find_game(spec) for spec in checkpoint.info.games]
        self._own: dict[str, Game] = {}
        for game, mine in zip(played or own, own, strict=True):
            assert np.array_equal(game.start().state, mine.start().state), f"{game.name} is not {mine.name}"
            self._own[game.name] = mine
        self.name, self.games = str(path), own
        self._player = SearchPlayer(self.name, evaluator_of(checkpoint), visits=visits, seconds=seconds)

    def choose(self, game: Game, states: NDArray[np.uint64]) -> NDArray[np.int16]:
        """Return one action for each state [K, W]."""
        return self._player.choose(self._own[game.name], states)


def main() -> None:
    """Play the match and print a line about it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", type=Path, nargs=2)
    parser.add_argument("--visits", type=int, default=200)
    parser.add_argument("--seconds", type=float, help="for an action, where that is less")
    parser.add_argument("--pairs", type=int, default=40)
    parser.add_argument("--opening", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    first = Seeing(given.models[0], [], visits=given.visits, seconds=given.seconds)
    second = Seeing(given.models[1], first.games, visits=given.visits, seconds=given.seconds)
    at_once = 1 if given.seconds else None
    result = play_match(
        first.games,
        first,
        second,
        pairs=given.pairs,
        seed=given.seed,
        opening_actions=given.opening,
        at_once=at_once,
    )
    line = {"score": [result.wins, result.draws, result.losses], "elo": round(result.elo), "error": round(result.error)}
    print(
        json.dumps(line | {"visits": given.visits, "seconds": given.seconds, "pairs": list(result.pairs)}), flush=True
    )


if __name__ == "__main__":
    main()
