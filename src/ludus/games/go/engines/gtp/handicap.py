"""Counts handicap stones as KataGo does: stones of the start position, and Black's moves before White's first stone."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from ludus.games.game import Position
from ludus.games.go.layout import BONUS, HANDICAP
from ludus.games.go.rulesets import RuleSet
from ludus.games.go.view import pass_action, stones_of
from ludus.games.packed import read_field, write_field


def with_handicap(position: Position, before: Iterable[Position], rules: RuleSet) -> Position:
    """Return a position with the handicap stones of its game, and White's points for them.

    Args:
        position: a position.
        before: the positions of the game before it, in order.
        rules: the rules of the game.
    """
    stones = _num_stones(chain(before, [position]))
    if stones is None:
        return position
    points = rules.compensation(stones)
    if (read_field(position.state, HANDICAP), read_field(position.state, BONUS)) == (stones, points):
        return position
    state = position.state.copy()
    write_field(state, HANDICAP, stones)
    write_field(state, BONUS, points)
    return position.instead(state)


def _num_stones(line: Iterable[Position]) -> int | None:
    """Return the number of handicap stones; None if the start position has white stones, so that it tells nothing.

    Many programs place handicap stones by several `play` commands, and some servers let White pass in between.  A
    single black stone is an ordinary first move.  If White then moves twice in a row, the moves set up a position.
    """
    positions = iter(line)
    start = next(positions)
    owners, last = stones_of(start.state).values(), pass_action(start.state)
    if 1 in owners:
        return None
    stones, white_moved, white_placed = len(owners), False, False
    for after in positions:
        assert after.parent, "only the first position has no parent"
        if after.parent.to_play == 1:
            if white_moved:
                stones = len(owners)
                break
            white_moved, white_placed = True, after.action != last
        elif white_placed:
            break
        else:
            white_moved = False
            stones += after.action != last
    return stones if stones > 1 else 0
