"""The boards of a game's positions, cached, because describing a large one takes long; worker threads do that."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from ludus.games.board import Board
from ludus.games.game import Position
from ludus.site.safety.fair_queue import WorkerThreads
from ludus.site.table.table import Table

MAX_EARLIER = 4
"""Boards of earlier positions that a game caches: pages request those before the latest move to highlight it."""

Drawn = Mapping[Position, Board]


def shown_of(table: Table) -> set[Position]:
    """Return the positions of a table that pages show: without and with its unfinished move."""
    return {table.at(table.settled), table.position}


def draw(table: Table, known: Drawn) -> Drawn:
    """Return the boards that pages show of a table; those that are not in `known` are described now."""
    return {each: known.get(each) or each.describe() for each in shown_of(table)}


class Boards:
    """The boards of the shown positions of one game, and of some earlier ones."""

    def __init__(self, table: Table, drawn: Drawn) -> None:
        """Begin with a table, and the boards that `draw` returned for it."""
        self._shown, self._earlier = drawn, dict[Position, Board]()
        self._drawing: dict[Position, asyncio.Task[Board]] = {}
        self.show(table, drawn)

    @property
    def drawn(self) -> Drawn:
        """Return all cached boards."""
        return {**self._shown, **self._earlier}

    def show(self, table: Table, drawn: Drawn) -> None:
        """Keep the boards of a changed table, among those of `drawn`, and the latest of those before it."""
        before, self._shown = self._shown, {each: drawn[each] for each in shown_of(table)}
        self._keep({**before, **self._earlier})

    def shown(self, position: Position) -> Board:
        """Return the board of one of the shown positions."""
        return self._shown[position]

    async def of(self, position: Position, threads: WorkerThreads, address: str) -> Board:
        """Return the board of any position of the game, if necessary from a worker thread.

        Args:
            position: the position.
            threads: the worker threads.
            address: the client's address, for fair queuing.

        Raises:
            Unavailable: too many requests are waiting.
        """
        board = self._shown.get(position) or self._earlier.get(position)
        if board:
            return board
        drawing = self._drawing.get(position)
        if drawing is None:  # concurrent requests share one description, and its error
            drawing = self._drawing[position] = asyncio.create_task(threads.do(address, position.describe))
            drawing.add_done_callback(lambda _: self._drawing.pop(position))
        board = await asyncio.shield(drawing)
        self._keep({position: board, **self._earlier})
        return board

    def _keep(self, boards: Drawn) -> None:
        earlier = [pair for pair in boards.items() if pair[0] not in self._shown]
        self._earlier = dict(earlier[:MAX_EARLIER])
