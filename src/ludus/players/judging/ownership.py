"""Predicts the final maps of a board, by a network or as the mean of playouts.

Playouts follow the game's heuristic, so that players do not fill their own eyes and games end.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ludus.games.game import Game, Position
from ludus.games.rules import State
from ludus.kernel import Rules, entry
from ludus.network.evaluator import Forecaster
from ludus.search.random import uniform

PLAYOUTS = 64
"""Number of playouts for predicting final maps without a network."""


def expected_maps(evaluator: object, position: Position, *, playouts: int = PLAYOUTS) -> NDArray[np.float32] | None:
    """Return the expected final maps, seen by player 0 [M, H, W]; None if nothing can predict them.

    Args:
        evaluator: used if it runs a network trained on one final map for each player.
        position: an unfinished position.
        playouts: number of playouts otherwise, for games with final maps and a heuristic.
    """
    maps, game = forecast(evaluator, [position]), position.game
    if maps is not None:
        return maps[0]
    if not (game.num_maps and game.has_rule("heuristic")):
        return None
    return played_out(game, position.state, playouts=playouts)


def forecast(evaluator: object, positions: Sequence[Position]) -> NDArray[np.float32] | None:
    """Return the final maps predicted by a network, seen by player 0 [N, M, H, W]; None if it does not predict them.

    Args:
        evaluator: any evaluator.
        positions: N unfinished positions of one game.
    """
    game = positions[0].game
    if game.num_maps != len(game.players) or not isinstance(evaluator, Forecaster):
        return None
    maps = evaluator.maps(np.stack([position.planes for position in positions]))
    if maps is None:
        return None
    return np.stack([each[:: 1 - 2 * position.to_play] for each, position in zip(maps, positions, strict=True)])


def played_out(game: Game, state: State, *, playouts: int, seed: int = 0) -> NDArray[np.float32]:
    """Return the shares of playouts in which each cell of the final maps is set, seen by player 0 [M, H, W].

    Args:
        game: a game with final maps and a heuristic.
        state: an unfinished state.
        playouts: number of playouts.
        seed: names the random stream.
    """
    assert game.num_maps, f"{game.name} has no final maps"
    assert game.has_rule("heuristic"), f"{game.name} has no heuristic"
    stream = np.random.SeedSequence(seed).generate_state(1, np.uint64)
    sums = np.zeros((game.num_maps, *game.planes[1:]), np.float32)
    maps = np.zeros(sums.shape, np.uint8)
    actions, weights = np.zeros(game.max_legal, np.int16), np.zeros(game.max_legal, np.float32)
    begin = game.for_search(state)
    _play_out(game.rules, begin.copy(), begin.copy(), actions, weights, stream, playouts, game.max_actions, maps, sums)
    return sums / np.float32(max(1, playouts))


@entry
def _play_out(  # noqa: PLR0913 - compiled code takes its memory from outside
    rules: Rules,
    begin: np.ndarray,
    scratch: np.ndarray,
    actions: np.ndarray,
    weights: np.ndarray,
    stream: np.ndarray,
    playouts: int,
    max_actions: int,
    maps: np.ndarray,
    sums: np.ndarray,
) -> None:
    for _ in range(playouts):
        for i in range(scratch.shape[0]):
            scratch[i] = begin[i]
        left = max_actions
        while int(rules.outcome(scratch)) == 0 and left > 0:
            count = int(rules.legal(scratch, actions))
            rules.heuristic(scratch, actions, count, weights)
            total = 0.0
            for k in range(count):
                total += float(weights[k])
            drawn, chosen = uniform(stream) * total, 0
            while chosen < count - 1 and drawn >= float(weights[chosen]):
                drawn -= float(weights[chosen])
                chosen += 1
            rules.play(scratch, int(actions[chosen]))
            left -= 1
        maps[:] = 0
        rules.final_maps(scratch, 0, maps)
        for number in range(maps.shape[0]):
            for row in range(maps.shape[1]):
                for column in range(maps.shape[2]):
                    sums[number, row, column] += np.float32(maps[number, row, column])
