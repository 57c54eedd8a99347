"""Puts stones on the board: captures, suicide, ko, and incremental updates of liberties and hash."""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np

from ludus.games.go import layout
from ludus.games.go.points import Points, point_sets
from ludus.games.go.symmetry import original
from ludus.games.packed import ONE, field, read_field, with_field, write_field
from ludus.games.rules import State
from ludus.kernel import lowest_bit
from ludus.seeding import stream

POINTS = layout.MAX_SIZE * layout.MAX_SIZE
KEYS = stream(0, "go", "hash").integers(1 << 64, size=2 * POINTS, dtype=np.uint64)
"""The hash of each single stone, black then white."""
WHITE_MOVES = np.uint64(stream(0, "go", "hash", "white").integers(1 << 64, dtype=np.uint64))


class GoStones(NamedTuple):
    """The operations on a state's stones, for sets of points with one number of words."""

    put: Callable[[State, int, int], None]
    """Put a player's stone on an empty point."""
    hash_after: Callable[[State, int, int], np.uint64]
    """Return the board's hash after such a stone, without changing the state."""
    measure: Callable[[State, Points], None]
    """Store the liberties of every group with a stone in a set."""


def key(state: State, player: int, point: int) -> np.uint64:
    """Return the hash of a single stone."""
    return KEYS[POINTS * player + original(point, state)]


@cache
def stones(width: int) -> GoStones:  # noqa: C901 - small functions, made for one width
    """Build the operations for sets of points in `width` words."""
    load, store, single, union, common, without, is_empty, count, lowest, around, fill = point_sets(width)
    colour, empty_at, lost_at = (layout.SETS + each * width for each in (layout.BLACK, layout.EMPTY, layout.LOST))
    counted = tuple(layout.SETS + (layout.ONE_LIBERTY + number) * width for number in range(3))

    def note(state: State, group: Points, liberties: int) -> None:
        """Put a group into the set for one, two or three liberties."""
        for number in range(3):
            others = without(load(state, counted[number]), group)
            store(state, counted[number], union(others, group) if liberties == number + 1 else others)

    def measure(state: State, some: Points) -> None:
        frame, empty = read_field(state, layout.FRAME), load(state, empty_at)
        for player in range(2):
            own = load(state, colour + player * width)
            left = common(some, own)
            while not is_empty(left):
                group = fill(single(lowest(left)), own, frame)
                left = without(left, group)
                note(state, group, count(common(around(group, frame), empty)))

    def hash_of(state: State, player: int, some: Points) -> np.uint64:
        found = np.uint64(0)
        for word in range(width):
            left = some[word]
            while left != np.uint64(0):
                found ^= key(state, player, 64 * word + lowest_bit(left))
                left &= left - ONE
        return found

    def take(state: State, player: int, some: Points) -> None:
        """Remove stones of a player from the board."""
        own_at, owner_lost = colour + player * width, lost_at + player * width
        store(state, own_at, without(load(state, own_at), some))
        store(state, empty_at, union(load(state, empty_at), some))
        store(state, owner_lost, union(load(state, owner_lost), some))
        note(state, some, 0)
        state[layout.HASH] = np.uint64(state[layout.HASH]) ^ hash_of(state, player, some)
        game, taken = np.uint64(state[layout.GAME]), layout.TAKEN[1 - player]
        state[layout.GAME] = with_field(game, taken, min(field(game, taken) + count(some), layout.MAX_TAKEN))

    def put(state: State, player: int, point: int) -> None:
        frame = read_field(state, layout.FRAME)
        stone = single(point)
        own_at, other_at = colour + player * width, colour + (1 - player) * width
        store(state, own_at, union(load(state, own_at), stone))
        store(state, empty_at, without(load(state, empty_at), stone))
        state[layout.HASH] = np.uint64(state[layout.HASH]) ^ key(state, player, point)
        near = around(stone, frame)
        captured = without(stone, stone)
        others, empty = load(state, other_at), load(state, empty_at)
        left = common(near, others)
        while not is_empty(left):
            group = fill(single(lowest(left)), others, frame)
            left = without(left, group)
            liberties = count(common(around(group, frame), empty))
            if liberties == 0:
                captured = union(captured, group)
            else:
                note(state, group, liberties)
        num_captured = count(captured)
        if num_captured > 0:
            take(state, 1 - player, captured)
            measure(state, common(around(captured, frame), load(state, own_at)))
        group = fill(stone, load(state, own_at), frame)
        liberties = count(common(around(group, frame), load(state, empty_at)))
        ko = 0
        if liberties == 0:
            take(state, player, group)
            measure(state, common(around(group, frame), others))
        else:
            note(state, group, liberties)
            if num_captured == 1 and liberties == 1 and count(group) == 1:
                ko = 1 + lowest(captured)
        write_field(state, layout.KO, ko)

    def hash_after(state: State, player: int, point: int) -> np.uint64:
        frame = read_field(state, layout.FRAME)
        others, in_atari = load(state, colour + (1 - player) * width), load(state, counted[0])
        stone = single(point)
        near = around(stone, frame)
        found = np.uint64(state[layout.HASH]) ^ key(state, player, point)
        doomed = common(common(near, others), in_atari)
        if not is_empty(doomed):
            return found ^ hash_of(state, 1 - player, fill(doomed, others, frame))
        if not is_empty(common(near, load(state, empty_at))):
            return found
        own = load(state, colour + player * width)
        if not is_empty(without(common(near, own), in_atari)):
            return found
        return found ^ hash_of(state, player, fill(stone, union(own, stone), frame))

    return GoStones(put, hash_after, measure)
