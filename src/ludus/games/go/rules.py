"""The compiled rules of Go: legal actions, play, agreement about dead stones, and outcome."""

from functools import cache
from typing import Any

import numpy as np

from ludus.games.go import layout
from ludus.games.go.count import count_points
from ludus.games.go.layout import first_hash
from ludus.games.go.points import Points, point_sets
from ludus.games.go.stones import WHITE_MOVES, stones
from ludus.games.packed import ONE, field, read_field, with_field, write_field
from ludus.games.rules import DRAW, FIRST_WINS, ONGOING, SECOND_WINS, State
from ludus.kernel import lowest_bit

LOCKED = 4
"""Plies without a change in the number of neutral points before the pass lock allows a pass."""
RECENT_BITS = layout.ACTION_BITS * layout.NUM_RECENT


def to_play(state: State) -> int:
    """Return the player to move; Black is player 0."""
    return read_field(state, layout.TURN)


def position_hash(state: State, board: np.uint64, mover: int) -> np.uint64:
    """Return a position's superko hash: the stones and, for situational superko, the player to move."""
    situational = read_field(state, layout.KO_RULE) == layout.SITUATIONAL
    return board ^ WHITE_MOVES if situational and mover == 1 else board


def remember(state: State, width: int) -> None:
    """Store the hash of the position after the last ply, if the ko rule needs it."""
    at = first_hash(np.uint64(state[layout.OPTIONS]), width) + read_field(state, layout.PLY)
    if read_field(state, layout.KO_RULE) != layout.SIMPLE and at < state.shape[0]:
        state[at] = position_hash(state, np.uint64(state[layout.HASH]), read_field(state, layout.TURN))


@cache
def rules(width: int) -> dict[str, Any]:  # noqa: C901 - small functions, made for one width
    """Build the rules for sets of points in `width` words."""
    load, store, single, union, common, without, is_empty, _, _, around, fill = point_sets(width)
    put, hash_after, _ = stones(width)
    _, margin, _, neutral = count_points(width)
    sets = (layout.BLACK, layout.EMPTY, layout.ONE_LIBERTY, layout.LOST, layout.DEAD, layout.NUM_SETS)
    black_at, empty_at, atari_at, lost_at, dead_at, past_at = (layout.SETS + number * width for number in sets)

    def occurred(state: State, found: np.uint64) -> bool:
        first = first_hash(np.uint64(state[layout.OPTIONS]), width)
        last = min(first + read_field(state, layout.PLY) + 1, state.shape[0])
        same = 0
        for at in range(first, last):
            same += 1 if np.uint64(state[at]) == found else 0
        return same > 0

    def without_repeats(state: State, player: int, points: Points, some: Points) -> Points:
        """Remove from `points` those of `some` where a stone would repeat an earlier position."""
        for word in range(width):
            left = some[word]
            while left != np.uint64(0):
                point = 64 * word + lowest_bit(left)
                left &= left - ONE
                if occurred(state, position_hash(state, hash_after(state, player, point), 1 - player)):
                    points = without(points, single(point))
        return points

    def legal_points(state: State) -> Points:
        """Return the points where the mover may put a stone."""
        frame, ko_rule = read_field(state, layout.FRAME), read_field(state, layout.KO_RULE)
        player = read_field(state, layout.TURN)
        own, others = load(state, black_at + player * width), load(state, black_at + (1 - player) * width)
        empty, in_atari = load(state, empty_at), load(state, atari_at)
        joins, takes = without(own, in_atari), common(others, in_atari)
        points = common(around(union(empty, union(joins, takes)), frame), empty)
        # Only a stone on a point from which one was captured, or a suicide, can repeat a position.
        doubtful = common(points, load(state, lost_at + player * width))
        if read_field(state, layout.SUICIDE) == 1:
            suicides = without(empty, points)
            if ko_rule == layout.POSITIONAL:
                suicides = common(suicides, around(own, frame))  # suicide of more than one stone
            points = union(points, suicides)
            doubtful = union(doubtful, suicides)
        if ko_rule != layout.SIMPLE:
            return without_repeats(state, player, points, doubtful)
        ko = read_field(state, layout.KO)
        return points if ko == 0 else without(points, single(ko - 1))

    def eyes(state: State) -> Points:
        """Return empty points surrounded by the mover's stones, none of them in atari."""
        frame, player = read_field(state, layout.FRAME), to_play(state)
        own, others = load(state, black_at + player * width), load(state, black_at + (1 - player) * width)
        empty, in_atari = load(state, empty_at), common(own, load(state, atari_at))
        return without(common(empty, around(own, frame)), around(union(union(empty, others), in_atari), frame))

    def legal(state: State, actions: np.ndarray) -> int:
        frame, phase = read_field(state, layout.FRAME), read_field(state, layout.PHASE)
        points = load(state, empty_at) if read_field(state, layout.PLACING) > 0 else legal_points(state)
        locked = read_field(state, layout.PASS_LOCK) == 1 and read_field(state, layout.STEADY) <= LOCKED
        if read_field(state, layout.SEARCHED) == 1:
            others = without(points, eyes(state))
            if read_field(state, layout.PLACING) == 0 and not (locked and is_empty(others)):
                points = others
        elif phase == layout.AGREEING:
            points = union(points, union(load(state, black_at), load(state, black_at + width)))
        count = 0
        for word in range(width):
            left = points[word]
            while left != np.uint64(0):
                actions[count] = 64 * word + lowest_bit(left)
                left &= left - ONE
                count += 1
        if read_field(state, layout.PLACING) == 0 and (count == 0 or not locked):
            actions[count] = frame * frame
            count += 1
        return count

    def mark(state: State, point: int) -> None:
        """Mark a group as dead, or a dead group as alive."""
        frame, stone = read_field(state, layout.FRAME), single(point)
        black, white = load(state, black_at), load(state, black_at + width)
        group = fill(stone, white if is_empty(common(stone, black)) else black, frame)
        dead = load(state, dead_at)
        marked = without(dead, group) if not is_empty(common(dead, stone)) else union(dead, group)
        store(state, dead_at, marked)
        write_field(state, layout.AGREED, 0)

    def agree(state: State) -> None:
        """Record that the mover agrees to the marked dead stones."""
        game = np.uint64(state[layout.GAME])
        if field(game, layout.AGREED) == 1:
            game = with_field(game, layout.PHASE, layout.OVER)
        state[layout.GAME] = with_field(with_field(game, layout.AGREED, 1), layout.TURN, 1 - field(game, layout.TURN))

    def push_board(state: State) -> None:
        """Store the board before an action as the newest of the previous boards."""
        for at in range(past_at + 2 * layout.PAST_BOARDS * width - 1, past_at + 2 * width - 1, -1):
            state[at] = state[at - 2 * width]
        for word in range(2 * width):
            state[past_at + word] = state[black_at + word]

    def watch(state: State) -> None:
        """Update the pass lock's counter of plies without a change in neutral points."""
        recent, now = np.uint64(state[layout.RECENT]), neutral(state)
        steady = min(field(recent, layout.STEADY) + 1, 7) if now == field(recent, layout.NEUTRAL) else 0
        state[layout.RECENT] = with_field(with_field(recent, layout.NEUTRAL, now), layout.STEADY, steady)

    def play(state: State, action: int) -> None:
        rule_words, game = np.uint64(state[layout.RULES]), np.uint64(state[layout.GAME])
        frame, player = field(rule_words, layout.FRAME), field(game, layout.TURN)
        passes = action == frame * frame
        if field(game, layout.PHASE) == layout.AGREEING:
            if passes:
                agree(state)
                return
            if is_empty(common(single(action), load(state, empty_at))):
                mark(state, action)
                return
            empty_set = without(single(0), single(0))
            store(state, dead_at, empty_set)  # the game resumes
            state[layout.GAME] = with_field(with_field(game, layout.PHASE, layout.PLAYING), layout.AGREED, 0)
        if read_field(state, layout.SHOWS_HISTORY) == 1:
            push_board(state)
        recent = np.uint64(state[layout.RECENT])
        kept = recent & (ONE << np.uint64(RECENT_BITS - layout.ACTION_BITS)) - ONE
        counters = recent >> np.uint64(RECENT_BITS) << np.uint64(RECENT_BITS)
        state[layout.RECENT] = counters | kept << np.uint64(layout.ACTION_BITS) | np.uint64(action + 1)
        num_passes = 0
        if passes:
            takes_button = read_field(state, layout.BUTTON) == layout.BUTTON_LEFT
            if takes_button:
                write_field(state, layout.BUTTON, layout.BLACKS_BUTTON + player)
            num_passes = 0 if takes_button else field(game, layout.PASSES) + 1
            write_field(state, layout.KO, 0)
        else:
            put(state, player, action)
        game = np.uint64(state[layout.GAME])
        placing = field(game, layout.PLACING)
        if placing > 0:
            game = with_field(game, layout.PLACING, placing - 1)
        if placing <= 1:
            game = with_field(game, layout.TURN, 1 - player)
        marks = field(rule_words, layout.MARKING) == 1 and field(rule_words, layout.SEARCHED) == 0
        if num_passes == 2 and marks:
            game = with_field(game, layout.PHASE, layout.AGREEING)
            num_passes = 0
        game = with_field(game, layout.PASSES, num_passes)
        state[layout.GAME] = with_field(game, layout.PLY, min(field(game, layout.PLY) + 1, (1 << layout.PLY[1]) - 1))
        remember(state, width)
        if field(rule_words, layout.PASS_LOCK) == 1:
            watch(state)

    def outcome(state: State) -> int:
        phase = read_field(state, layout.PHASE)
        cut = read_field(state, layout.PLY) >= read_field(state, layout.LIMIT) and phase == layout.PLAYING
        if read_field(state, layout.PASSES) < 2 and phase != layout.OVER and not cut:
            return ONGOING
        points = margin(state)
        if points == 0:
            return DRAW
        return FIRST_WINS if points > 0 else SECOND_WINS

    return {"to_play": to_play, "legal": legal, "play": play, "outcome": outcome}
