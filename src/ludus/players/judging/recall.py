"""A lane that reads evaluations from files, evaluates other positions, and may append those to a file."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.errors import Unavailable
from ludus.evaluations.file import EvaluationFile
from ludus.evaluations.index import Rows
from ludus.games.game import Game
from ludus.kernel import entry, kernel, lowest_bit
from ludus.network.evaluator import Evaluator, Logits, Outcomes
from ludus.search.random import hash_row
from ludus.search.tree import NO_TREE, Trees

REFRESH_S = 1.0  # interval of checks whether another process has appended to a file

_log = logging.getLogger(__name__)


class Recall(NamedTuple):
    """An evaluator with evaluation files, which identify positions by their states."""

    evaluator: Evaluator
    files: Sequence[EvaluationFile]
    """Files of this network and of the group's game, in the order of lookups."""


class RecallLane:
    """The lane of a `Recall`."""

    def __init__(self, game: Game, recall: Recall, batch: int, trees: Callable[[], Trees]) -> None:
        """Open a lane of the evaluator; the trees write into its buffer of planes."""
        self._lane = recall.evaluator.lane(batch)
        self.planes = self._lane.planes
        self._trees, self._files = trees, recall.files
        self._rows = Rows(
            keys=np.zeros(batch, np.uint64),
            actions=np.zeros((batch, game.max_legal), np.int16),
            counts=np.zeros(batch, np.int32),
            logits=np.zeros((batch, game.num_actions), np.float32),
            outcomes=np.zeros((batch, 3), np.float32),
        )
        self._marks = np.zeros(game.num_actions // 64 + 1, np.uint64)
        self._asked = np.zeros(0, np.int64)  # rows that the evaluator is evaluating
        self._count = 0
        self._kept_in = next((file for file in recall.files if file.mode == "append"), None)
        self._refreshed = time.perf_counter()

    def submit(self, count: int) -> None:
        """Look up the rows, and submit missing ones to the evaluator."""
        self._count = count
        now = time.perf_counter()
        if now > self._refreshed + REFRESH_S:
            self._refreshed = now
            for file in self._files:
                file.refresh()
        gather(self._trees(), count, self._rows.keys, self._rows.actions, self._rows.counts, self._marks)
        found = self._look_up(self._rows.first(count))
        self._asked = np.flatnonzero(~found)
        if 0 < len(self._asked) < count:
            self.planes[: len(self._asked)] = self.planes[self._asked]
        if len(self._asked):
            self._lane.submit(len(self._asked))

    def answer(self) -> tuple[Logits, Outcomes]:
        """Return the evaluations of the batch, from the files and from the evaluator."""
        asked, self._asked = self._asked, self._asked[:0]
        known = self._rows
        if len(asked):
            logits, outcomes = self._lane.answer()
            if self._kept_in is not None:
                self._append(self._kept_in, asked, logits[: len(asked)], outcomes[: len(asked)])
            if len(asked) == self._count:
                return logits, outcomes
            known.logits[asked], known.outcomes[asked] = logits[: len(asked)], outcomes[: len(asked)]
        return known.logits, known.outcomes

    def _look_up(self, rows: Rows) -> NDArray[np.bool_]:
        """Fill each row from the first file that contains its position; return which rows were found [N]."""
        found, left = np.zeros(len(rows.keys), np.bool_), rows._replace(counts=rows.counts.copy())
        for file in self._files:
            found |= file.look_up(left)
            left.counts[found] = 0
        return found

    def _append(self, file: EvaluationFile, asked: NDArray[np.int64], logits: Logits, outcomes: Outcomes) -> None:
        rows = self._rows
        try:
            file.add(Rows(rows.keys[asked], rows.actions[asked], rows.counts[asked], logits, outcomes))
        except Unavailable as error:
            self._kept_in = None
            _log.warning("%s Further evaluations are not written.", error)


@entry
def gather(t: Trees, count: int, keys: np.ndarray, actions: np.ndarray, counts: np.ndarray, marks: np.ndarray) -> None:
    """Write the lookup keys of the rows of a batch.

    Args:
        t: the trees.
        count: number of rows.
        keys: hashes of the states.  # [B]
        actions: legal actions, in ascending order.  # [B, L]
        counts: number of actions; 0 for rows of a symmetric view of a leaf, or of a root with restricted actions.
            # [B]
        marks: scratch: a bit for each action, all 0.
    """
    for row in range(count):
        counts[row] = 0
        g = int(t.row[row].tree)
        if g != NO_TREE and (int(t.row[row].depth) > 0 or int(t.tree[g].foreseen) <= 0):
            at = int(t.path[int(t.row[row].path), int(t.row[row].depth)])
            keys[row] = hash_row(t.words, g, int(t.child[g, at].node))
            counts[row] = t.row[row].count
            in_order(t.row_legal[row], int(counts[row]), actions[row], marks)


@kernel
def in_order(actions: np.ndarray, count: int, ordered: np.ndarray, marks: np.ndarray) -> None:
    """Write `count` actions in ascending order into `ordered`; `marks` is scratch, all 0."""
    for k in range(count):
        action = int(actions[k])
        marks[action >> 6] = np.uint64(marks[action >> 6]) | (np.uint64(1) << np.uint64(action & 63))
    found = 0
    for word in range(marks.shape[0]):
        left = np.uint64(marks[word])
        while left != np.uint64(0):
            ordered[found] = 64 * word + lowest_bit(left)
            found += 1
            left &= left - np.uint64(1)
        marks[word] = 0


def state_key(words: NDArray[np.uint64]) -> int:
    """Return the key of a state [W] in evaluation files."""
    with np.errstate(over="ignore"):
        return int(hash_row(words.reshape(1, 1, -1), 0, 0))
