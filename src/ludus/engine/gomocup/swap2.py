"""Swap2 for an engine whose network knows plain Gomoku alone: colours are chosen, and stones drawn, by their values.

The opener draws some openings at random and takes the most even one.  The other player takes Black, or plays White, if
that is clearly better; else it draws pairs of stones and puts the most even one, if it is more even than what stands.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from functools import partial

import msgspec
import numpy as np

from ludus.engine.asking import Asking, Thinker
from ludus.engine.conversation import Post
from ludus.engine.gomocup.board import BLACK, WHITE, GomocupBoard
from ludus.errors import BadInput
from ludus.players.thinking.seat import Limits
from ludus.players.thinking.thought import Thought
from ludus.protocol.gomocup import SWAP, Point, point_text
from ludus.viewpoint import turn

_log = logging.getLogger(__name__)

OPENINGS, PAIRS = 12, 8  # that are drawn
REACH = 4  # rows and columns between stones that are drawn
CLEAR = 0.2  # value from which on a colour is better
DRAWS = 200  # tries to find points that are free


class Opening:
    """One answer to `SWAP2BOARD`, which takes one search or two rounds of them."""

    def __init__(
        self,
        board: GomocupBoard,
        thinker: Thinker,
        limits: Limits,
        post: Post,
        answer: Callable[[str, str], object],
        rng: np.random.Generator,
    ) -> None:
        """Prepare it.

        Args:
            board: with 0, 3 or 5 stones; raises BadInput if it has others.
            thinker: judges.
            limits: of all searches together.
            post: how searches come back to the engine's thread.
            answer: takes the answer, and what went wrong on the way, if anything did; in that thread.
            rng: for what is drawn.
        """
        if len(board.stones) not in (0, 3, 5):
            raise BadInput(f"SWAP2BOARD is about 0, 3 or 5 stones, not {len(board.stones)}")
        self._board, self._thinker, self._post, self._answer, self._rng = board, thinker, post, answer, rng
        self._limits = limits
        self._few = msgspec.structs.replace(
            limits, visits=max(2, limits.visits // 4), seconds=limits.seconds / 2.0, extension=0.0
        )
        self._searches: list[Asking] = []
        self._hurried = False

    def begin(self) -> None:
        """Begin to search."""
        if self._board.stones:
            last = len(self._board.stones) == 5
            self._judge([self._board], self._limits if last else self._few, self._choose_last if last else self._choose)
        else:
            drawn = [self._drawn(3) for _ in range(OPENINGS)]
            self._judge(drawn, self._few, lambda thoughts: self._put(drawn, thoughts))

    def stop(self) -> None:
        """Decide as soon as anything is known."""
        self._hurried = True
        for search in self._searches:
            search.stop()

    def forget(self) -> None:
        """End it without a word."""
        searches, self._searches = self._searches, []
        for search in searches:
            search.drop()

    def _judge(self, boards: Sequence[GomocupBoard], limits: Limits, done: Callable[[list[Thought]], object]) -> None:
        """Search boards side by side, and call `done` with what was found when all are done."""
        searches = self._searches = [Asking(self._post) for _ in boards]
        found: dict[int, Thought] = {}

        def take(number: int, thought: Thought) -> None:
            found[number] = thought
            if len(found) == len(boards):
                done([found[each] for each in range(len(boards))])

        for number, (board, search) in enumerate(zip(boards, searches, strict=True)):
            if self._searches is searches:  # none of them has failed
                search.ask(self._thinker.seat(board.position), limits, partial(take, number), self._give_up)

    def _choose(self, thoughts: list[Thought]) -> None:
        """Answer three stones."""
        value = turn(thoughts[0].value, WHITE)
        if abs(value) > CLEAR or self._hurried:
            self._choose_last(thoughts)
            return
        drawn = [self._drawn(2) for _ in range(PAIRS)]

        def choose(judged: list[Thought]) -> None:
            if min(abs(each.value) for each in judged) < abs(value):
                self._put(drawn, judged)
            else:
                self._choose_last(thoughts)

        try:
            self._judge(drawn, self._few, choose)
        except Exception as fault:  # noqa: BLE001 - the manager waits for an answer, whatever has happened
            _log.error("A search failed.", exc_info=fault)
            self._give_up(fault)

    def _choose_last(self, thoughts: list[Thought]) -> None:
        """Take the better colour: White by playing, Black by swapping."""
        plays_white = turn(thoughts[0].value, WHITE) >= 0.0
        self._answer(point_text(self._board.point(thoughts[0].best[0])) if plays_white else SWAP, "")

    def _put(self, drawn: Sequence[GomocupBoard], thoughts: list[Thought]) -> None:
        """Answer with the new stones of the most even board."""
        best = min(range(len(drawn)), key=lambda number: abs(thoughts[number].value))
        new = drawn[best].stones[len(self._board.stones) :]
        self._answer(point_text(*(point for point, _ in new)), "")

    def _give_up(self, fault: Exception) -> None:
        """Answer without knowing anything: with stones that are drawn, or else with Black."""
        self.forget()
        text = SWAP if self._board.stones else point_text(*(point for point, _ in self._drawn(3).stones))
        self._answer(text, f"the search failed: {fault}")

    def _drawn(self, count: int) -> GomocupBoard:
        """Return the board with so many more stones, drawn near to one another."""
        board = GomocupBoard(self._board.size, self._board.rule, self._board.planes)
        board.stones = list(self._board.stones)
        for _ in range(count):
            near = [point for point, _ in board.stones]
            free = board.free
            point = free[int(self._rng.integers(len(free)))]
            for _ in range(DRAWS):
                if not near or any(_is_near(point, other) for other in near):
                    break
                point = free[int(self._rng.integers(len(free)))]
            board.put(point, BLACK if len(board.stones) % 2 == 0 else WHITE)
        return board


def _is_near(point: Point, other: Point) -> bool:
    return max(abs(point[0] - other[0]), abs(point[1] - other[1])) <= REACH
