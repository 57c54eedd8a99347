"""What the rules of Gomoku foresee: a five, a win by fours, two fives that one stone cannot stop, or none in time."""

import numpy as np

from ludus.games.gomoku.forbidden import is_forbidden
from ludus.games.gomoku.fours import ANY, NONE, ROOM, find_wins_by_fours, only_cell
from ludus.games.gomoku.layout import BLACK_STONE, COLOUR, INFO, PLAY, PLAYER, RENJU, ROWS, RULE, SIZE, STAGE, stone_bit
from ludus.games.gomoku.rules import is_exact
from ludus.games.gomoku.threats import FIVE, NUM_THREATS, find_threats
from ludus.games.packed import field
from ludus.games.rules import FIRST_WINS, ONGOING, SECOND_WINS, State


def foresee(state: State) -> int:
    """The winner, where one of the players can go on with fives and fours alone; draws are not foreseen."""
    info = int(state[INFO])
    size, rule, colour, mover = field(info, SIZE), field(info, RULE), field(info, COLOUR), field(info, PLAYER)
    wins, loses = FIRST_WINS + mover, SECOND_WINS - mover
    if field(info, STAGE) != PLAY:
        return ONGOING
    threats = np.zeros((2, NUM_THREATS, size), np.int64)  # [2, T, N] of Black, of White
    if has_win(state, colour, threats):
        return wins
    stop = only_cell(threats[1 - colour, FIVE])
    if stop == ANY:
        return ONGOING
    if stop == NONE or (rule == RENJU and colour == BLACK_STONE and is_forbidden(state, stop)):
        return loses
    after = state.copy()
    after[ROWS + stop // size] |= stone_bit(stop % size, colour)
    return loses if has_win(after, 1 - colour, threats) else ONGOING


def has_win(state: State, colour: int, threats: np.ndarray) -> bool:
    """Return whether a colour that plays next makes a five, or wins by fours.

    Args:
        state: a position in which the opening is over.
        colour: who plays next.
        threats: of both colours, to be written.  # [2, T, N] int64
    """
    rule = field(int(state[INFO]), RULE)
    for each in range(2):
        find_threats(state, each, is_exact(rule, each), False, threats[each])
    mine, won = threats[colour], np.zeros(threats.shape[2], np.int64)
    if only_cell(mine[FIVE]) != ANY:
        return True
    find_wins_by_fours(state, colour, mine, threats[1 - colour], ROOM, won)
    return only_cell(won) != ANY
