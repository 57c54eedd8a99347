"""The Swap2 opening for a network that was trained on plain Gomoku: it chooses colours and stones by search values.

The opener generates random openings and places the most even one.  The other player swaps to Black or plays White if
one colour is clearly better.  Otherwise it generates random pairs of stones and places the most even pair, if that is
more even than the current position.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from functools import partial

import msgspec
import numpy as np

from ludus.engine.asking import Asking, Thinker
from ludus.engine.conversation import Post
from ludus.errors import BadInput
from ludus.games.gomoku.engines.gomocup.board import BLACK, WHITE, GomocupBoard
from ludus.games.gomoku.engines.gomocup.protocol import SWAP, Point, point_text
from ludus.players.thinking.seat import Limits
from ludus.players.thinking.thought import Thought
from ludus.viewpoint import turn

_log = logging.getLogger(__name__)

OPENINGS, PAIRS = 12, 8  # numbers of random openings and of random pairs of stones
REACH = 4  # largest distance of a random stone from another stone, in rows and columns
CLEAR = 0.2  # value from which a colour counts as clearly better
DRAWS = 200  # attempts to draw a point near other stones


class Opening:
    """Computes the answer to one `SWAP2BOARD` command by one or two rounds of searches."""

    def __init__(
        self,
        board: GomocupBoard,
        thinker: Thinker,
        limits: Limits,
        post: Post,
        answer: Callable[[str, str], object],
        rng: np.random.Generator,
    ) -> None:
        """Prepare the answer; `begin` starts the searches.

        Args:
            board: the board with 0, 3 or 5 stones; raises BadInput for other numbers.
            thinker: the player that evaluates positions.
            limits: limits of all searches together.
            post: delivers search results to the engine's thread.
            answer: called in that thread with the answer and an error text, which is empty if nothing failed.
            rng: random generator for the stones.
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
        """Start the first round of searches."""
        if self._board.stones:
            last = len(self._board.stones) == 5
            self._judge([self._board], self._limits if last else self._few, self._choose_last if last else self._choose)
        else:
            drawn = [self._drawn(3) for _ in range(OPENINGS)]
            self._judge(drawn, self._few, lambda thoughts: self._put(drawn, thoughts))

    def stop(self) -> None:
        """Stop the searches early and decide by their results so far."""
        self._hurried = True
        for search in self._searches:
            search.stop()

    def forget(self) -> None:
        """Cancel the searches without an answer."""
        searches, self._searches = self._searches, []
        for search in searches:
            search.drop()

    def _judge(self, boards: Sequence[GomocupBoard], limits: Limits, done: Callable[[list[Thought]], object]) -> None:
        """Search boards simultaneously; call `done` with all results when every search has ended."""
        searches = self._searches = [Asking(self._post) for _ in boards]
        found: dict[int, Thought] = {}

        def take(number: int, thought: Thought) -> None:
            found[number] = thought
            if len(found) == len(boards):
                done([found[each] for each in range(len(boards))])

        for number, (board, search) in enumerate(zip(boards, searches, strict=True)):
            if self._searches is searches:  # no search has failed so far
                search.ask(self._thinker.seat(board.position), limits, partial(take, number), self._give_up)

    def _choose(self, thoughts: list[Thought]) -> None:
        """Answer an opening of three stones: swap, play White, or place two more stones."""
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
        except Exception as fault:  # noqa: BLE001 - the manager waits for an answer even after an unexpected error
            _log.error("A search failed.", exc_info=fault)
            self._give_up(fault)

    def _choose_last(self, thoughts: list[Thought]) -> None:
        """Choose the better colour: play White's move, or swap to Black."""
        plays_white = turn(thoughts[0].value, WHITE) >= 0.0
        self._answer(point_text(self._board.point(thoughts[0].best[0])) if plays_white else SWAP, "")

    def _put(self, drawn: Sequence[GomocupBoard], thoughts: list[Thought]) -> None:
        """Answer with the added stones of the most even board."""
        best = min(range(len(drawn)), key=lambda number: abs(thoughts[number].value))
        new = drawn[best].stones[len(self._board.stones) :]
        self._answer(point_text(*(point for point, _ in new)), "")

    def _give_up(self, fault: Exception) -> None:
        """Answer after a failed search: with a random opening on an empty board, else by swapping to Black."""
        self.forget()
        text = SWAP if self._board.stones else point_text(*(point for point, _ in self._drawn(3).stones))
        self._answer(text, f"the search failed: {fault}")

    def _drawn(self, count: int) -> GomocupBoard:
        """Return a copy of the board with `count` more random stones near the others."""
        board = GomocupBoard(self._board.size, self._board.rule)
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
