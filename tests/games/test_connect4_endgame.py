"""The rule `foresee` of Connect Four agrees with another solver; `test_solver.py` compares it with brute force."""

from pathlib import Path

import numpy as np

import ludus
from ludus.games.calls import RULES
from ludus.games.connect4.endgame import UNKNOWN, make_nodes, value_of
from ludus.games.connect4.solved import read_columns
from ludus.kernel import entry
from ludus.search.backup import exact_value
from ludus.viewpoint import turn

foresee = RULES["foresee"].entry

GAME = ludus.game("connect4").compile()
SOLVED = read_columns(Path("tests/golden/connect4-solved.jsonl.gz"))


def after(moves):
    position = GAME.start()
    for column in moves:
        position = position.play(int(column) - 1)
    return position


def foreseen(position):
    """Return 1, 0 or -1 for the player to move, or None."""
    outcome = foresee(GAME.rules, position.state)
    return turn(exact_value(outcome), position.to_play) if outcome else None


def test_foresee_agrees_with_another_solver():
    known = dict.fromkeys(range(43), 0)
    for each in SOLVED:
        value = foreseen(after(each.moves))
        known[len(each.moves)] += value is not None
        assert value in (None, np.sign(max(score for score in each.scores if score is not None))), each.moves
    numbers = [len(each.moves) for each in SOLVED]
    late = [discs for discs in numbers if discs >= 27]
    assert sum(known[discs] for discs in set(late)) > 0.9 * len(late)


@entry
def value_within(mine, theirs, most_steps):
    return value_of(make_nodes(64), mine, theirs, most_steps)


def test_more_steps_prove_more_positions_with_equal_values():
    limits = (1, 30, 300, 3000, 30000)
    told = np.zeros(len(limits), int)
    for each in SOLVED[::20]:
        state, mover = after(each.moves).state, len(each.moves) & 1
        found = [int(value_within(state[mover], state[1 - mover], limit)) for limit in limits]
        known = [value for value in found if value != UNKNOWN]
        assert found == [UNKNOWN] * (len(limits) - len(known)) + known, "a larger limit keeps the proof"
        assert len(set(known)) <= 1
        told += np.array(found) != UNKNOWN
    assert 0 < told[0] < told[2] < told[-1]
