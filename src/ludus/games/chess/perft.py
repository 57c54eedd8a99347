"""Counts lines of play of a given length (perft), the usual test of chess rules and their speed."""

import numpy as np

from ludus.games.game import Game
from ludus.games.rules import State
from ludus.kernel import Rules, entry


def perft(game: Game, state: State, depth: int) -> int:
    """Count the lines of `depth` actions from a state; draws by rule do not end a line."""
    if depth == 0:
        return 1
    states = np.zeros((depth, game.state_size), game.dtype)
    states[0] = state[: game.state_size]
    return int(count_lines(game.rules, states, np.zeros((depth, game.max_legal), np.int16), depth))


@entry
def count_lines(rules: Rules, states: np.ndarray, actions: np.ndarray, depth: int) -> int:
    """Count the lines from `states[0]`; the last action of a line is counted, not played."""
    count, done = np.zeros(depth, np.int64), np.zeros(depth, np.int64)
    count[0] = rules.legal(states[0], actions[0])
    lines, level = 0, 0
    while level >= 0:
        if level == depth - 1:
            lines += count[level]
            level -= 1
        elif done[level] == count[level]:
            level -= 1
        else:
            action = int(actions[level, done[level]])
            done[level] += 1
            level += 1
            for word in range(states.shape[1]):
                states[level, word] = states[level - 1, word]
            rules.play(states[level], action)
            done[level] = 0
            count[level] = rules.legal(states[level], actions[level])
    return lines
