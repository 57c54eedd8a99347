"""What each tree of a pool is searched for, and when its search is over: visits, time, or because all is decided."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludus.kernel import COMPILED, entry, kernel
from ludus.search.backup import mean_value
from ludus.search.tree import Trees
from ludus.viewpoint import turn

IDLE, PONDERS, RUNS = 0, 1, 2  # what happens in a slot
AT_A_TIME = 256  # most visits of a tree in one turn: what the network need not judge could go on for long
SEAT_LEAVES = 8  # most leaves of one tree in a batch; bench/leaves.py
FILL = 32  # rows of a batch from which on a processor judges hardly more of them in a second
VISITS_PER_LEAF = 32  # of the root, for each leaf of a tree in a batch; bench/leaves.py
FALL = 0.1  # of the value, for the mover, in the second half of the time: the search is unsure
WEIGHTY = 4  # so does an action with this part of the most visits ...
BETTER = 0.01  # ... and a value better by so much

PLAN = np.dtype(
    [
        ("deadline", "f8"),  # seconds of `perf_counter`
        ("halfway", "f8"),
        ("started", "f8"),
        ("extension", "f8"),  # seconds after the deadline, if the search is unsure then
        ("early", "f8"),  # the mover's value halfway; -2: not there yet
        ("goal", "i4"),  # visits of the root
        ("visits", "i4"),  # when the search started
        ("work", "i1"),
        ("may_stop", "i1"),
    ],
    align=True,
)


def make_plan(num_trees: int) -> NDArray[Any]:
    """Return plans for idle trees [G] PLAN."""
    plan = np.zeros(num_trees, PLAN)
    return plan if COMPILED else plan.view(np.recarray)  # plain Python reaches fields by attribute through a recarray


@entry
def review(t: Trees, plan: np.ndarray, over: np.ndarray, now: float, turn_s: float) -> int:
    """Write the numbers of the trees whose search is over into `over` [G]; return how many there are.

    Args:
        t: the trees, with no leaf at the evaluator.
        plan: what each tree is searched for.  # [G] PLAN
        over: takes the numbers.  # [G]
        now: seconds of `perf_counter`.
        turn_s: how long another turn will take.
    """
    count = 0
    for g in range(plan.shape[0]):
        if int(plan[g].work) != IDLE and is_over(t, plan, g, now, turn_s):
            over[count] = g
            count += 1
    return count


@kernel
def is_over(t: Trees, plan: np.ndarray, g: int, now: float, turn_s: float) -> bool:
    """Return whether the search of tree `g` has reached its end."""
    root, mine = t.child[g, 0], plan[g]
    visits = int(root.visits)
    if int(root.proof) != 0 or int(t.tree[g].full) == 1:
        return True
    if int(mine.work) == PONDERS:
        return visits >= t.node.shape[1]  # visits that find known outcomes fill no tree, and could go on for ever
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
    """Return whether no other action of the root can get the most visits in what is left of visits and time."""
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
    """Return whether a weighty action of the root is better than the most visited one, or the value has fallen much."""
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
    """Return how many leaves a tree of so many visits has in a batch that `awake` trees share, `most_leaves` at most.

    Leaves of one batch are chosen without knowing of each other, which harms small trees most: these have few.
    """
    return max(1, min(most_leaves, fill // max(1, awake), visits // VISITS_PER_LEAF))


@entry
def rouse(t: Trees, plan: np.ndarray, work: int, fill: int, most_leaves: int) -> int:
    """Wake the trees in which `work` is done, and let all others sleep; return how many are awake.

    Args:
        t: the trees.
        plan: what each tree is searched for.  # [G] PLAN
        work: RUNS or PONDERS.
        fill: rows of the batch that the trees are to share.
        most_leaves: of a tree in a batch.
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
