"""Lets games between people continue after the state's hash storage is full, with superko still exact.

A state stores a fixed number of position hashes, few enough for a search to copy with every node.  When storage runs
low, the older hashes move to the game's memory outside the state.  At each position, the hashes that a stone could
repeat are copied back.  The rules are therefore exact in games of any length; only a search that looks further ahead
may miss the repetition of an old position.
"""

from collections.abc import Callable
from functools import cache

import numpy as np

from ludus.games.go import layout
from ludus.games.go.layout import first_hash
from ludus.games.go.rules import position_hash
from ludus.games.go.stones import stones
from ludus.games.go.view import points_of
from ludus.games.packed import read_field, write_field
from ludus.games.rules import State

Past = frozenset[int]
"""Hashes of positions that are no longer stored in the state."""


@cache
def renewer(width: int) -> Callable[[State, Past | None], tuple[State, Past]]:
    """Build the function `renew` for sets of points in `width` words."""
    hash_after = stones(width).hash_after

    def renew(state: State, past: Past | None) -> tuple[State, Past]:
        """Make room for position hashes in a state that is nearly full, so that the game can continue.

        Args:
            state: the state after an action.
            past: hashes of older positions that were moved out of earlier states; None: none were.

        Returns:
            The state, unchanged if it has room, and the hashes that are stored outside it.
        """
        past = past or frozenset()
        if read_field(state, layout.PASSES) >= 2 or read_field(state, layout.PHASE) == layout.OVER:
            return state, past
        room, missing = read_field(state, layout.LIMIT), repeated(state, past)
        if room - read_field(state, layout.PLY) - len(missing) <= room // 4:
            state, left_out = shortened(state, room // 2)
            past |= left_out
            missing = repeated(state, past)
        if missing:
            state = with_hashes(state, missing + hashes_of(state))
        return state, past

    def shortened(state: State, kept: int) -> tuple[State, Past]:
        """Return the state with only its newest hashes, and the removed hashes."""
        if read_field(state, layout.KO_RULE) == layout.SIMPLE:
            state = state.copy()
            write_field(state, layout.PLY, 1)
            return state, frozenset()
        hashes = hashes_of(state)
        return with_hashes(state, hashes[-kept:]), frozenset(hashes[:-kept])

    def hashes_of(state: State) -> list[int]:
        first = first_hash(np.uint64(state[layout.OPTIONS]), width)
        return [int(code) for code in state[first : first + read_field(state, layout.PLY) + 1]]

    def with_hashes(state: State, hashes: list[int]) -> State:
        state, first = state.copy(), first_hash(np.uint64(state[layout.OPTIONS]), width)
        state[first:] = 0
        state[first : first + len(hashes)] = np.array(hashes, np.uint64)
        write_field(state, layout.PLY, len(hashes) - 1)
        return state

    def repeated(state: State, past: Past) -> list[int]:
        """Return the hashes outside the state that a stone of the mover would repeat."""
        if not past or read_field(state, layout.PLACING):
            return []
        mover = read_field(state, layout.TURN)
        with np.errstate(over="ignore"):
            boards = [hash_after(state, mover, point) for point in points_of(state, layout.EMPTY)]
            after = {int(position_hash(state, board, 1 - mover)) for board in boards}
        return sorted(after & past - set(hashes_of(state)))

    return renew
