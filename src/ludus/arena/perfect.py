"""Games against a game's solver, from positions with a known outcome that the player should keep."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec
import numpy as np

from ludus.arena.match import Match, MatchPlayer
from ludus.arena.share import interval_of, share_of, share_text
from ludus.arena.summary import MatchGame
from ludus.arena.table import Tables
from ludus.errors import BadInput
from ludus.games.game import Game
from ludus.games.rules import DRAW
from ludus.games.solved import Solver
from ludus.players.opponents.solver import SolverPlayer, new_solver
from ludus.progress import Tell
from ludus.viewpoint import turn

MOST_LOOKS = 300  # tried openings per drawn one; in a game with few draws, 2 to 10 % of random openings are drawn


class KeptOutcomes(msgspec.Struct, frozen=True):
    """Counts of games in which a player kept at least its position's outcome."""

    games: int
    kept: int
    wins: int
    """Positions won for the player; the others are drawn."""
    wins_kept: int
    forfeits: list[str] = []
    """One description for each game lost by an illegal action or an error."""
    left_out: int = 0
    """Openings that the solver could not solve."""
    unproved: int = 0
    """Moves of the solver without a proof, which may be mistakes."""

    @property
    def draws(self) -> int:
        """Return the number of drawn positions."""
        return self.games - self.wins

    @property
    def draws_kept(self) -> int:
        """Return the number of drawn positions that were not lost."""
        return self.kept - self.wins_kept

    def as_dict(self) -> dict[str, object]:
        """Return the counts, shares and intervals for JSON."""
        return msgspec.to_builtins(self) | {
            "share": share_of(self.kept, self.games),
            "interval": interval_of(self.kept, self.games),
            "wins_interval": interval_of(self.wins_kept, self.wins),
            "draws": self.draws,
            "draws_kept": self.draws_kept,
            "draws_interval": interval_of(self.draws_kept, self.draws),
        }

    def __str__(self) -> str:
        """Return a summary in one line."""
        parts = [f"{share_text(self.kept, self.games)} of {self.games} games against perfect play kept the outcome"]
        for kept, number, what in (
            (self.wins_kept, self.wins, "wins"),
            (self.draws_kept, self.draws, "draws"),
        ):
            if number:
                parts.append(f"{kept} of {number} {what}: {share_text(kept, number)}")
        if self.left_out:
            parts.append(f"openings skipped because the solver could not solve them: {self.left_out}")
        if self.unproved:
            parts.append(f"unproved moves of perfect play, which may be mistakes: {self.unproved}")
        return "; ".join(parts)


def play_perfect(
    game: Game,
    player: MatchPlayer,
    *,
    openings: int,
    opening_actions: int,
    seed: int,
    drawn: bool = False,
    solver: Solver | None = None,
    tell: Tell = lambda *_: None,
) -> KeptOutcomes:
    """Play a player against a solver from all positions that are not lost for the player.

    Args:
        game: a game that brings a solver.
        player: the measured player; it takes each side of an opening that is not lost for it.
        openings: number of openings; each gives one game, or two if it is drawn.
        opening_actions: random actions of an opening; the fewer, the longer solving takes.  Openings that the solver
            cannot solve are skipped and counted.
        seed: chooses the openings.
        drawn: use only drawn openings.
        solver: the solver (default: a new one of the game).
        tell: called with the progress of finding openings, and of the games.

    Raises:
        BadInput: the game brings no solver, it solves no such opening, too few are drawn, or games end within so many
            actions.
    """
    solver = solver or new_solver(game)
    values: dict[int, int] = {}
    solved = left_out = 0
    for number, value in _values(game, solver, range((MOST_LOOKS if drawn else 1) * openings), opening_actions, seed):
        if value is None:
            left_out += 1
            continue
        solved += 1
        if value == 0 or not drawn:
            values[number] = value
        tell("openings", len(values), openings)
        if len(values) == openings:
            break
    if not solved:
        raise BadInput(
            f"{game.name}: the solver cannot solve positions after {opening_actions} random actions within its "
            "limit; choose more actions."
        )
    if drawn and len(values) < openings:
        raise BadInput(
            f"{game.name}: too few positions after {opening_actions} random actions are drawn; choose fewer actions."
        )
    perfect = SolverPlayer(seed, solver=solver)
    perfect.name = "perfect play"
    defence = _Defence(game, (player, perfect), values, seed, opening_actions)
    total = sum(1 if value else 2 for value in values.values())
    games: list[MatchGame] = []
    while defence.is_running:
        games += defence.advance()
        tell("games", len(games), total)
    worth = [turn(values[each.pair], int(each.first != player.name)) for each in games]
    points = [0 if each.winner is None else 1 if each.winner == player.name else -1 for each in games]
    kept = [made >= due for made, due in zip(points, worth, strict=True)]
    forfeits = [f"opening {each.pair}: {each.forfeit}" for each in games if each.forfeit]
    assert not any(each.forfeit and each.winner == player.name for each in games), f"perfect play fails: {forfeits}"
    return KeptOutcomes(
        games=len(games),
        kept=sum(kept),
        wins=sum(due == 1 for due in worth),
        wins_kept=sum(stood for stood, due in zip(kept, worth, strict=True) if due == 1),
        forfeits=forfeits,
        left_out=left_out,
        unproved=perfect.unproved,
    )


class _Defence(Match):
    """A match in which the first player skips positions that are lost for it."""

    def __init__(
        self,
        game: Game,
        players: tuple[MatchPlayer, MatchPlayer],
        values: Mapping[int, int],
        seed: int,
        opening_actions: int,
    ) -> None:
        """Set up openings, given their numbers and values for player 0."""
        super().__init__(game, players, list(values), seed, opening_actions, None)
        worth = np.array(
            [turn(value, side) for value in values.values() for side in (0, 1)]
        )  # [B] value for the first player
        self._tables.outcomes[worth < 0] = DRAW


def _values(
    game: Game, solver: Solver, numbers: Iterable[int], opening_actions: int, seed: int
) -> Iterator[tuple[int, int | None]]:
    """Yield (number, value for player 0) of each opening; value None: the solver cannot solve it."""
    for number in numbers:
        tables = Tables(game, 2)
        tables.open_with(opening_actions, seed, [number])
        yield number, solver.value(tables.words[0].view(game.dtype))
