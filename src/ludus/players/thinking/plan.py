"""The goal of each tree of a pool, and the conditions that end its search: visits, time, or a settled best move."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.kernel import COMPILED, entry, kernel
from ludus.search.backup import mean_value
from ludus.search.root import must_go_on
from ludus.search.tree import Trees
from ludus.viewpoint import turn

IDLE, PONDERS, RUNS = 0, 1, 2  # states of a slot
AT_A_TIME = 256  # most visits of a tree in one turn, since visits without evaluations could take long
SEAT_LEAVES = 8  # most leaves of one tree in a batch; measured by bench/leaves.py
FILL = 32  # batch size beyond which a CPU hardly evaluates more rows per second
VISITS_PER_LEAF = 32  # visits of the root for each leaf of its tree in a batch; measured by bench/leaves.py
FALL = 0.1  # loss of value for the mover in the second half of the time that makes a search unsure
WEIGHTY = 4  # another action makes it unsure if it has at least 1 / WEIGHTY of the most visits ...
BETTER = 0.01  # ... and a value better by at least this

PLAN = np.dtype(
    [
        ("deadline", "f8"),  # seconds of `perf_counter`
        ("halfway", "f8"),
        ("started", "f8"),
        ("extension", "f8"),  # additional seconds if the search is unsure at the deadline
        ("early", "f8"),  # the mover's value at half of the time; -2: not yet reached
        ("goal", "i4"),  # visits of the root
        ("visits", "i4"),  # visits of the root when the search started
        ("work", "i1"),  # IDLE, PONDERS or RUNS
        ("may_stop", "i1"),
    ],
    align=True,
)


def make_plan(num_trees: int) -> NDArray[Any]:
    """Create plans of idle trees [G] PLAN."""
    plan = np.zeros(num_trees, PLAN)
    return plan if COMPILED else plan.view(np.recarray)  # plain Python reaches fields by attribute through a recarray


@entry
def review(t: Trees, plan: np.ndarray, over: np.ndarray, now: float, turn_s: float) -> int:
    """Write the numbers of the trees whose search is over into `over` [G]; return their count.

    Args:
        t: the trees, without a batch in flight.
        plan: goals of the trees.  # [G] PLAN
        over: output, numbers of trees.  # [G]
        now: seconds of `perf_counter`.
        turn_s: expected seconds of another turn.
    """
    count = 0
    for g in range(plan.shape[0]):
        if int(plan[g].work) != IDLE and is_over(t, plan, g, now, turn_s):
            over[count] = g
            count += 1
    return count


@kernel
def is_over(t: Trees, plan: np.ndarray, g: int, now: float, turn_s: float) -> bool:
    """Return whether the search of tree `g` is over."""
    root, mine = t.child[g, 0], plan[g]
    visits = int(root.visits)
    if int(t.tree[g].full) == 1:
        return True
    if must_go_on(t, g):
        return False
    if int(root.proof) != 0:
        return True
    if int(mine.work) == PONDERS:
        return visits >= t.node.shape[1]  # visits of known outcomes add no nodes and could continue without end
    if visits < 2:
        return False
    if visits >= int(mine.goal):
        return True
    value, left_s = turn(mean_value(t, g, 0), int(root.mover)), float(mine.deadline) - now
    if float(mine.early) == -2.0 and now >= float(mine.halfway):
        mine.early = value
    if left_s <= turn_s:
        extended_s = left_s + float(mine.extension)
        if extended_s <= max(left_s, turn_s) or not is_unsure(t, g, float(mine.early) - value):
            return True
        mine.deadline = float(mine.deadline) + float(mine.extension)
        mine.extension = 0.0
        return False
    return int(mine.may_stop) == 1 and is_settled(t, plan, g, now, left_s)


@kernel
def is_settled(t: Trees, plan: np.ndarray, g: int, now: float, left_s: float) -> bool:
    """Return whether no other action of the root can become the most visited one within the limits."""
    root, mine = t.child[g, 0], plan[g]
    if int(t.node[g, int(root.node)].num_edges) == 1:
        return True
    first, second = 0, 0
    for k in range(int(root.num_children)):
        visits = int(t.child[g, int(root.first_child) + k].visits)
        if visits > first:
            first, second = visits, first
        elif visits > second:
            second = visits
    left = float(int(mine.goal) - int(root.visits))
    seconds = now - float(mine.started)
    if seconds > 0.0 and left_s < 1e9:
        left = min(left, float(int(root.visits) - int(mine.visits)) / seconds * left_s)
    return float(first - second) > left


@kernel
def is_unsure(t: Trees, g: int, fall: float) -> bool:
    """Return whether a well-visited action has a better value than the most visited one, or the value has fallen."""
    root = t.child[g, 0]
    first, mover = int(root.first_child), int(root.mover)
    most = 0
    for k in range(int(root.num_children)):
        if int(t.child[g, first + k].visits) > int(t.child[g, first + most].visits):
            most = k
    enough = int(t.child[g, first + most].visits)
    value = turn(mean_value(t, g, first + most), mover)
    for k in range(int(root.num_children)):
        better = turn(mean_value(t, g, first + k), mover) - value
        if WEIGHTY * int(t.child[g, first + k].visits) >= enough and better > BETTER:
            return True
    return fall > FALL


@kernel
def leaves_of(visits: int, awake: int, fill: int, most_leaves: int) -> int:
    """Return the number of leaves of a tree with `visits` visits in a batch of `awake` trees, at most `most_leaves`.

    Leaves of one batch are selected independently of each other, which harms small trees most, so they get fewer.
    """
    return max(1, min(most_leaves, fill // max(1, awake), visits // VISITS_PER_LEAF))


@entry
def rouse(t: Trees, plan: np.ndarray, work: int, fill: int, most_leaves: int) -> int:
    """Set targets for the trees whose plan is `work`, clear all other targets, and return the number of such trees.

    Args:
        t: the trees.
        plan: goals of the trees.  # [G] PLAN
        work: RUNS or PONDERS.
        fill: rows of the batch that the trees share.
        most_leaves: limit of leaves of a tree in a batch.
    """
    awake = 0
    for g in range(plan.shape[0]):
        awake += 1 if int(plan[g].work) == work else 0
    for g in range(plan.shape[0]):
        tree, visits = t.tree[g], int(t.child[g, 0].visits)
        tree.leaves = leaves_of(visits, awake, fill, most_leaves)
        tree.target = 0
        if int(plan[g].work) == work:
            goal = int(plan[g].goal) if work == RUNS else t.node.shape[1]
            tree.target = min(goal, visits + AT_A_TIME)
    return awake
