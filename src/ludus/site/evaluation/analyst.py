"""The analyst of an evaluation bar: asks about the positions of a game that have no evaluation yet.

It keeps no plan: each step looks at which evaluations are missing, and begins with the present position.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from ludus.protocol.bgs import SessionConfig
from ludus.site.database.records import Evaluation
from ludus.site.live.game import LiveGame

Ask = Callable[[tuple[str, ...]], Coroutine[Any, Any, Evaluation]]
"""Returns the judge's evaluation of the position after some moves; raises the errors of the judge."""


def config_of(game: LiveGame) -> SessionConfig:
    """Return the board and first position of a game, as the judge needs them."""
    row = game.row
    return SessionConfig(row.variant, row.width, row.height, row.setup, row.game)


def missing(game: LiveGame) -> list[int]:
    """Return the positions of a game that have no evaluation, by their number of moves."""
    return [ply for ply in range(len(game.table.moves) + 1) if ply not in game.evaluations]


class Analyst:
    """Requests the missing evaluations of one game."""

    def __init__(self, game: LiveGame, ask: Ask) -> None:
        self._game = game
        self._ask = ask
        self._wake = asyncio.Event()

    def wake(self) -> None:
        """Look for missing evaluations again, after the game has changed."""
        self._wake.set()

    async def run(self) -> None:
        """Request evaluations until the game is over and none is missing; raises the errors of the judge."""
        while True:
            self._wake.clear()
            wanted = missing(self._game)
            if wanted:
                await self._evaluate(wanted[-1] if wanted[-1] == len(self._game.table.moves) else wanted[0])
            elif self._game.table.over:
                return
            else:
                await self._wake.wait()

    async def _evaluate(self, ply: int) -> None:
        """Evaluate the position after `ply` moves; give up when the game goes on, which makes another one urgent."""
        game = self._game
        moves = tuple(move.text for move in game.table.moves[:ply])
        if ply == len(game.table.moves) and game.table.position.outcome:  # the outcome is exact
            game.note_evaluation(ply, Evaluation(game.table.position.outcome.value, ""))
            return
        asking = asyncio.create_task(self._ask(moves))
        waking = asyncio.create_task(self._wake.wait())
        try:
            await asyncio.wait({asking, waking}, return_when=asyncio.FIRST_COMPLETED)
            if asking.done():
                found = asking.result()
                if tuple(move.text for move in game.table.moves[:ply]) == moves:  # no move was taken back meanwhile
                    game.note_evaluation(ply, found)
        finally:
            for task in (asking, waking):
                task.cancel()
            await asyncio.gather(asking, waking, return_exceptions=True)
