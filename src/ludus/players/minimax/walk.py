"""The walk of a minimax search: alpha-beta as a machine with a stack, which can stop after any number of nodes.

Values are seen by player 0, who wants them high; nothing is negated, since a player may move twice in a row.  A frame
looks at its actions in stages: the first action with the whole window, the others with an empty one (and less deep,
if they come late), and again with the whole window where that shows an improvement (principal variation search;
Marsland and Campbell, "Parallel search of strongly ordered game trees", 1982).
"""

import numpy as np

from ludus.games.game import DRAW, FIRST_WINS, ONGOING
from ludus.kernel import Rules, entry, kernel
from ludus.players.minimax.stack import MAX_DEPTH, Stack
from ludus.players.minimax.table import AT_LEAST, AT_MOST, EXACT, WIN, key_of, recall, remember

SCALE = 10_000.0  # of a survey's value
NEXT, REDUCED, SCOUT, WHOLE = 0, 1, 2, 3  # stages
LATE, VERY_LATE = 3, 12  # actions of a frame before depth is reduced by one, by two
RANK, KILLER, FROM_TABLE = 1 << 16, 12 << 16, 1 << 30  # in the order; history stays below one rank
MOST_HISTORY = RANK - 1


@entry
def begin(rules: Rules, s: Stack, depth: int) -> None:
    """Open the root, whose state is `states[0]`, to look `depth` actions ahead."""
    control = s.control[0]
    control.ply = 0
    _open(rules, s, 0, depth, -WIN, WIN, key_of(s, 0), int(control.first))


@entry
def advance(rules: Rules, s: Stack, nodes: int) -> bool:
    """Search on for at most `nodes` nodes; return whether the root is settled, its value being `control.value`."""
    control = s.control[0]
    ply, until = int(control.ply), int(control.nodes) + nodes
    while int(control.nodes) < until:
        frame = s.frame[ply]
        is_open = int(frame.stage) != NEXT or int(frame.next) < int(frame.count)
        if is_open and int(frame.low) < int(frame.high):
            if int(frame.stage) == NEXT:
                _play_next(rules, s, ply)
                control.nodes += 1
            known, value = _visit(rules, s, ply)
            if known:
                _settle(s, ply, value)
            else:
                ply += 1
        else:
            _close(s, ply)
            if ply == 0:
                control.ply, control.value = 0, frame.best
                return True
            ply -= 1
            _settle(s, ply, int(frame.best))
    control.ply = ply
    return False


@kernel
def _play_next(rules: Rules, s: Stack, ply: int) -> None:
    """Choose the next action of a frame, and play it on the state above."""
    frame = s.frame[ply]
    first = int(frame.next)
    at = first
    for k in range(first + 1, int(frame.count)):
        if int(s.order[ply, k]) > int(s.order[ply, at]):
            at = k
    action, order = int(s.actions[ply, at]), int(s.order[ply, at])
    s.actions[ply, at], s.order[ply, at] = s.actions[ply, first], s.order[ply, first]
    s.actions[ply, first], s.order[ply, first] = action, order
    frame.next, frame.played = first + 1, action
    late = int(s.control[0].reduces) == 1 and first >= LATE and int(frame.depth) >= 3
    frame.stage = WHOLE if first == 0 else REDUCED if late else SCOUT
    for item in range(s.states.shape[1]):
        s.states[ply + 1, item] = s.states[ply, item]
    rules.play(s.states[ply + 1], action)


@kernel
def _visit(rules: Rules, s: Stack, ply: int) -> tuple[bool, int]:
    """Return whether the value of the position above a frame is known, and the value; if not, open a frame there."""
    frame, above = s.frame[ply], ply + 1
    state = s.states[above]
    result = int(rules.outcome(state))
    if result == DRAW:
        return True, 0
    if result != ONGOING:
        return True, WIN - above if result == FIRST_WINS else above - WIN
    depth, stage = int(frame.depth) - 1, int(frame.stage)
    if stage == REDUCED:
        depth -= 2 if int(frame.next) > VERY_LATE and depth >= 3 else 1
    if depth <= 0 or above == MAX_DEPTH:
        value = float(rules.survey(state, s.actions[above], 0, s.ranks))
        return True, round(SCALE * value)
    low, high = int(frame.low), int(frame.high)
    if stage != WHOLE:
        low, high = (low, low + 1) if int(frame.mover) == 0 else (high - 1, high)
    key = key_of(s, above)
    bound, known_depth, value, action = recall(s, key, above)
    if known_depth >= depth and (
        bound == EXACT or (bound == AT_LEAST and value >= high) or (bound == AT_MOST and value <= low)
    ):
        return True, value
    _open(rules, s, above, depth, low, high, key, action)
    return False, 0


@kernel
def _open(rules: Rules, s: Stack, ply: int, depth: int, low: int, high: int, key: np.uint64, first: int) -> None:
    """Open the frame of the state at a ply; the action `first` comes first, if it is one."""
    frame, state, actions = s.frame[ply], s.states[ply], s.actions[ply]
    mover, count = int(rules.to_play(state)), int(rules.legal(state, actions))
    rules.survey(state, actions, count, s.ranks)
    kept = 0
    for k in range(count):
        action, rank = int(actions[k]), int(s.ranks[k])
        if rank >= 0 or int(s.control[0].full_width) == 1:
            order = rank * RANK + min(MOST_HISTORY, int(s.history[mover, action]))
            if action == first:
                order += FROM_TABLE
            elif action == int(s.killers[ply, 0]) or action == int(s.killers[ply, 1]):
                order += KILLER
            actions[kept], s.order[ply, kept] = action, order
            kept += 1
    frame.key, frame.depth, frame.mover, frame.stage = key, depth, mover, NEXT
    frame.low, frame.high, frame.first_low, frame.first_high = low, high, low, high
    frame.count, frame.next, frame.move = kept, 0, -1
    frame.best = -WIN - 1 if mover == 0 else WIN + 1


@kernel
def _settle(s: Stack, ply: int, value: int) -> None:
    """Take in the value of the action that a frame has played, or have it looked at with the whole window."""
    frame = s.frame[ply]
    mover, stage = int(frame.mover), int(frame.stage)
    low, high = int(frame.low), int(frame.high)
    improves = value > low if mover == 0 else value < high
    if improves and (stage == REDUCED or (stage == SCOUT and low < value < high)):
        frame.stage = WHOLE
        return
    frame.stage = NEXT
    if value > int(frame.best) if mover == 0 else value < int(frame.best):
        frame.best, frame.move = value, frame.played
    if improves and mover == 0:
        frame.low = value
    elif improves:
        frame.high = value


@kernel
def _close(s: Stack, ply: int) -> None:
    """Remember what a frame has found."""
    frame = s.frame[ply]
    best, action, depth = int(frame.best), int(frame.move), int(frame.depth)
    bound = AT_MOST if best <= int(frame.first_low) else AT_LEAST if best >= int(frame.first_high) else EXACT
    remember(s, ply, best, action, depth, bound)
    if int(frame.low) >= int(frame.high):
        if int(s.killers[ply, 0]) != action:
            s.killers[ply, 1] = s.killers[ply, 0]
            s.killers[ply, 0] = action
        mover = int(frame.mover)
        s.history[mover, action] = min(MOST_HISTORY, int(s.history[mover, action]) + depth * depth)
