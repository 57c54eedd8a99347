"""Never lose: games of Connect Four against perfect play, from positions whose outcome is known."""

from __future__ import annotations

import msgspec
import numpy as np

from ludus.arena.match import Player
from ludus.arena.share import share_of, share_text
from ludus.arena.table import Tables
from ludus.games.game import DRAW, FIRST_WINS, ONGOING, Game
from ludus.players.solver import Solver, SolverPlayer


class Kept(msgspec.Struct, frozen=True):
    """How often a player got at least what its positions were worth."""

    games: int
    kept: int
    wins: int
    """Positions that were won for the player; the others were drawn."""
    wins_kept: int

    def as_dict(self) -> dict[str, float]:
        """Return the numbers for JSON."""
        return msgspec.to_builtins(self) | {"share": share_of(self.kept, self.games)}

    def __str__(self) -> str:
        """Say it in a line."""
        draws, draws_kept = self.games - self.wins, self.kept - self.wins_kept
        return (
            f"{share_text(self.kept, self.games)} of {self.games} games against perfect play kept the outcome: "
            f"{self.wins_kept} of {self.wins} wins, {draws_kept} of {draws} draws"
        )


def play_perfect(game: Game, player: Player, *, openings: int, discs: int, seed: int) -> Kept:
    """Let a player defend positions that are not lost for it against a solver that never errs.

    Args:
        game: Connect Four.
        player: who is measured; it takes each side of each opening that is not lost for it.
        openings: how many; each gives one game, or two if it is drawn.
        discs: random discs of an opening; below eight, the solver needs seconds for a move.  An opening that it cannot
            solve is left out.
        seed: names the openings.
    """
    solver = Solver()
    tables = Tables(game, 2 * openings)
    tables.open_with(discs, seed)
    values = np.zeros(2 * openings, np.int64)  # [B] seen by player 0
    known = np.zeros(2 * openings, np.bool_)  # [B]
    for board in range(0, 2 * openings, 2):
        value = solver.value(tables.words[board])
        values[board : board + 2], known[board : board + 2] = value or 0, value is not None
    sides = np.arange(2 * openings) % 2  # [B] the player's side
    worth = np.where(sides == 0, values, -values)  # [B]
    perfect = SolverPlayer(seed, solver=solver)
    plays = known & (worth >= 0)
    while len(boards := np.flatnonzero((tables.outcomes == ONGOING) & plays)):
        actions = np.full(2 * openings, -1, np.int16)
        for mover, own in ((player, tables.movers == sides), (perfect, tables.movers != sides)):
            chosen = boards[own[boards]]
            if len(chosen):
                actions[chosen] = mover.choose(game, tables.words[chosen].copy())
        illegal = tables.play(actions)
        tables.outcomes[illegal] = FIRST_WINS + 1 - tables.movers[illegal]
    outcomes = tables.outcomes
    points = np.where(outcomes == DRAW, 0, np.where(outcomes - FIRST_WINS == sides, 1, -1))  # [B]
    kept = plays & (points >= worth)
    return Kept(
        games=int(plays.sum()),
        kept=int(kept.sum()),
        wins=int((plays & (worth == 1)).sum()),
        wins_kept=int((kept & (worth == 1)).sum()),
    )
