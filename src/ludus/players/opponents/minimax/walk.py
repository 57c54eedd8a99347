"""Alpha-beta search with an explicit stack, which can pause after any number of nodes.

All values are seen by player 0, who maximises them; nothing is negated, since a player may move twice in a row.  The
search is principal variation search (Marsland and Campbell, "Parallel search of strongly ordered game trees", 1982): a
node searches its first action with the full window and the others with an empty window, late ones also less deeply; an
action that improves the value is searched again with the full window.
"""

import numpy as np

from ludus.games.rules import DRAW, FIRST_WINS, ONGOING
from ludus.kernel import Rules, entry, kernel
from ludus.players.opponents.minimax.memory import (
    AT_LEAST,
    AT_MOST,
    EXACT,
    MAX_DEPTH,
    WIN,
    Stack,
    key_of,
    recall,
    remember,
)

SCALE = 10_000.0  # factor from a survey's value to a search value
NEXT, REDUCED, SCOUT, WHOLE = 0, 1, 2, 3  # stages
LATE, VERY_LATE = 3, 12  # actions of a node before depth is reduced by one, by two
RANK, KILLER, FROM_TABLE = 1 << 16, 12 << 16, 1 << 30  # bonuses in the order of actions; history stays below one rank
MOST_HISTORY = RANK - 1


@entry
def begin(rules: Rules, s: Stack, depth: int) -> None:
    """Open the root, whose state is `states[0]`, for a search of `depth` actions."""
    control = s.control[0]
    control.ply = 0
    _open(rules, s, 0, depth, -WIN, WIN, key_of(s, 0), int(control.first))


@entry
def advance(rules: Rules, s: Stack, nodes: int) -> bool:
    """Continue for at most `nodes` nodes; return whether the search is complete, with `control.value` as the value."""
    control = s.control[0]
    ply, until = int(control.ply), int(control.nodes) + nodes
    while int(control.nodes) < until:
        node = s.node[ply]
        is_open = int(node.stage) != NEXT or int(node.next) < int(node.count)
        if is_open and int(node.low) < int(node.high):
            if int(node.stage) == NEXT:
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
                control.ply, control.value = 0, node.best
                return True
            ply -= 1
            _settle(s, ply, int(node.best))
    control.ply = ply
    return False


@kernel
def _play_next(rules: Rules, s: Stack, ply: int) -> None:
    """Choose the next action of a node, and play it into the next state of the stack."""
    node = s.node[ply]
    first = int(node.next)
    at = first
    for k in range(first + 1, int(node.count)):
        if int(s.order[ply, k]) > int(s.order[ply, at]):
            at = k
    action, order = int(s.actions[ply, at]), int(s.order[ply, at])
    s.actions[ply, at], s.order[ply, at] = s.actions[ply, first], s.order[ply, first]
    s.actions[ply, first], s.order[ply, first] = action, order
    node.next, node.played = first + 1, action
    late = int(s.control[0].reduces) == 1 and first >= LATE and int(node.depth) >= 3
    node.stage = WHOLE if first == 0 else REDUCED if late else SCOUT
    for item in range(s.states.shape[1]):
        s.states[ply + 1, item] = s.states[ply, item]
    rules.play(s.states[ply + 1], action)


@kernel
def _visit(rules: Rules, s: Stack, ply: int) -> tuple[bool, int]:
    """Return whether the value of the node's child position is known, and the value; if unknown, open its node."""
    node, above = s.node[ply], ply + 1
    state = s.states[above]
    result = int(rules.outcome(state))
    if result == DRAW:
        return True, 0
    if result != ONGOING:
        return True, WIN - above if result == FIRST_WINS else above - WIN
    depth, stage = int(node.depth) - 1, int(node.stage)
    if stage == REDUCED:
        depth -= 2 if int(node.next) > VERY_LATE and depth >= 3 else 1
    if depth <= 0 or above == MAX_DEPTH:
        value = float(rules.survey(state, s.actions[above], 0, s.ranks))
        return True, round(SCALE * value)
    low, high = int(node.low), int(node.high)
    if stage != WHOLE:
        low, high = (low, low + 1) if int(node.mover) == 0 else (high - 1, high)
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
    """Open the node of the state at a ply; the action `first` is searched first if it is legal."""
    node, state, actions = s.node[ply], s.states[ply], s.actions[ply]
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
    node.key, node.depth, node.mover, node.stage = key, depth, mover, NEXT
    node.low, node.high, node.first_low, node.first_high = low, high, low, high
    node.count, node.next, node.move = kept, 0, -1
    node.best = -WIN - 1 if mover == 0 else WIN + 1


@kernel
def _settle(s: Stack, ply: int, value: int) -> None:
    """Update a node by the value of its played action, or schedule that action for a full-window search."""
    node = s.node[ply]
    mover, stage = int(node.mover), int(node.stage)
    low, high = int(node.low), int(node.high)
    improves = value > low if mover == 0 else value < high
    if improves and (stage == REDUCED or (stage == SCOUT and low < value < high)):
        node.stage = WHOLE
        return
    node.stage = NEXT
    if value > int(node.best) if mover == 0 else value < int(node.best):
        node.best, node.move = value, node.played
    if improves and mover == 0:
        node.low = value
    elif improves:
        node.high = value


@kernel
def _close(s: Stack, ply: int) -> None:
    """Store the result of a finished node in the table, killers and history."""
    node = s.node[ply]
    best, action, depth = int(node.best), int(node.move), int(node.depth)
    bound = AT_MOST if best <= int(node.first_low) else AT_LEAST if best >= int(node.first_high) else EXACT
    remember(s, ply, best, action, depth, bound)
    if int(node.low) >= int(node.high):
        if int(s.killers[ply, 0]) != action:
            s.killers[ply, 1] = s.killers[ply, 0]
            s.killers[ply, 0] = action
        mover = int(node.mover)
        s.history[mover, action] = min(MOST_HISTORY, int(s.history[mover, action]) + depth * depth)
