"""Predicts the owner of each point and the life of each group, by the network or by playouts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.errors import LudusError
from ludus.games.board import Cell
from ludus.games.game import Position
from ludus.games.go.describe import handed, lead_without
from ludus.games.go.engines.gtp.board import groups_of
from ludus.games.go.engines.gtp.protocol import CANNOT_SCORE, Failure
from ludus.games.go.layout import TERRITORY
from ludus.games.go.seki import in_seki
from ludus.games.go.sgf_game import going_on
from ludus.games.go.view import pass_action, size_of, stones_of
from ludus.games.packed import read_field
from ludus.games.rules import State
from ludus.lazy import lazy_property
from ludus.players.judging.ownership import PLAYOUTS, expected_maps, forecast
from ludus.viewpoint import turn

AFTER_PLAYOUTS = 16
"""Playouts that predict the owner of each point after one of many moves, without a network."""


class Forecast:
    """The expected owners and lead of a position, and after each action; each is computed on first use."""

    def __init__(self, evaluator: object, position: Position, playouts: int) -> None:
        """Store the arguments of `expected_maps`; nothing is computed yet."""
        self._evaluator, self._position, self._playouts = evaluator, position, playouts
        self._after: dict[int, _After | None] = {}  # by the network; None: it is unknown, or the action ends the game
        self._played_out: dict[int, NDArray[np.float32]] = {}  # where the network's prediction is unknown

    @lazy_property
    def owners(self) -> NDArray[np.float32]:
        """The expected owner of each point, from -1 (White) to 1 [size, size]; raises Failure if unknown."""
        maps = expected_maps(self._evaluator, self._position, playouts=self._playouts)
        if maps is None:
            raise Failure(CANNOT_SCORE)
        return _owners(self._position.state, maps)

    @lazy_property
    def lead(self) -> float:
        """Black's expected lead in points; raises Failure if unknown."""
        return _lead(self._position.state, self.owners)

    def leads(self, actions: Iterable[int]) -> dict[int, float]:
        """Return Black's expected lead in points after each action, if the network predicts it.

        Actions that end the game are omitted.
        """
        return {action: after.lead for action, after in self._known_after(actions).items() if after}

    def owners_after(self, actions: Iterable[int]) -> dict[int, NDArray[np.float32]]:
        """Return the expected owner of each point after each action [size, size]; raises Failure if unknown.

        Without a network that predicts it, it is the mean of playouts.  An action that ends the game changes nothing.
        """
        found = dict[int, NDArray[np.float32]]()
        for action, after in self._known_after(actions).items():
            if after is None and action not in self._played_out:
                position = self._position.play(action)
                maps = None if position.outcome else expected_maps(None, position, playouts=AFTER_PLAYOUTS)
                self._played_out[action] = self.owners if maps is None else _owners(position.state, maps)
            found[action] = after.owners if after else self._played_out[action]
        return found

    def _known_after(self, actions: Iterable[int]) -> dict[int, _After | None]:
        wanted = list(actions)
        self._ask([action for action in wanted if action not in self._after])
        return {action: self._after[action] for action in wanted}

    def _ask(self, actions: list[int]) -> None:
        """Evaluate the positions after these actions with the network."""
        after = {action: self._position.play(action) for action in actions}
        going_on = {action: position for action, position in after.items() if not position.outcome}
        maps = forecast(self._evaluator, list(going_on.values())) if going_on else None
        self._after |= dict.fromkeys(actions)
        if maps is not None:
            for (action, position), each in zip(going_on.items(), maps, strict=True):
                owners = _owners(position.state, each)
                self._after[action] = _After(owners, _lead(position.state, owners))


class _After(NamedTuple):
    """The network's prediction for the position after an action."""

    owners: NDArray[np.float32]  # [size, size]
    lead: float


class Outlook(NamedTuple):
    """The expected end of a game, as far as it is wanted and known."""

    lead: float | None
    """Black's expected lead in points."""
    leads: Mapping[int, float]
    """Black's expected lead after each action; `lead` applies to the others."""
    owners: NDArray[np.float32] | None
    """The expected owner of each point, from -1 (White) to 1 [size, size]."""
    owners_after: Mapping[int, NDArray[np.float32]]
    """The expected owner of each point after each action [size, size]."""


def outlook(forecast: Forecast, actions: Sequence[int], *, ownership: bool, moves_ownership: bool) -> Outlook:
    """Return the expected end of the game, now and after each of these actions.

    Args:
        forecast: predicts it.
        actions: legal actions.
        ownership: whether to include the owners of points.
        moves_ownership: whether to include the owners of points after each action.
    """
    lead, owners, leads, owners_after = None, None, dict[int, float](), dict[int, NDArray[np.float32]]()
    with suppress(Failure, LudusError):  # moves can be reported even if the owners of points are unknown
        owners, lead = forecast.owners, forecast.lead
        leads = forecast.leads(actions)
        owners_after = forecast.owners_after(actions) if moves_ownership else owners_after
    return Outlook(lead, leads, owners if ownership else None, owners_after)


def _owners(state: State, maps: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the expected owner of each point [size, size] from final maps in the planes' frame [2, H, W]."""
    size = size_of(state)
    return (maps[0] - maps[1])[:size, :size]


def _lead(state: State, owners: NDArray[np.float32]) -> float:
    """Return Black's expected lead in points from the expected owner of each point [size, size]."""
    return float(owners.sum()) + handed(state)


STATUSES = ("alive", "dead", "seki")
SURE = 0.5
"""Expected life of a group (0 to 1) from which its life or death counts as certain; 0.5 is three of four playouts."""


def by_status(position: Position, evaluator: object) -> dict[str, list[list[Cell]]]:
    """Return the groups on the board by status: alive, dead or seki; raises Failure if unknown."""
    found: dict[str, list[list[Cell]]] = {status: [] for status in STATUSES}
    for group, life in _lives(position, evaluator, position.to_play):
        found["seki" if life is None else "alive" if life >= 0.0 else "dead"].append(group)
    return found


def dead_stones(position: Position, evaluator: object) -> list[Cell]:
    """Return the cells of all dead stones; raises Failure if unknown."""
    return [cell for group in by_status(position, evaluator)["dead"] for cell in group]


def _lives(position: Position, evaluator: object, mover: int) -> list[tuple[list[Cell], float | None]]:
    """Return each group with its expected life if `mover` moves next; raises Failure if unknown.

    The value is from 1 (alive) to -1 (dead); None: the group is in seki.
    """
    ready, stones = going_on(position, mover), stones_of(position.state)
    owners = Forecast(evaluator, ready, PLAYOUTS).owners
    locked, found = in_seki(stones, size_of(position.state)), list[tuple[list[Cell], float | None]]()
    for group in groups_of(stones):
        mean = float(np.mean([owners[cell] for cell in group]))
        found.append((group, None if group[0] in locked else turn(mean, stones[group[0]])))
    return found


def pass_wins(position: Position, evaluator: object) -> bool | None:
    """Return whether a pass ends the game and certainly wins (True) or loses (False) after removing dead stones.

    Searches score the board after two passes with all stones on it.  Under territory scoring they would therefore
    capture dead stones instead of passing, which fills the player's own territory, and would pass although the
    player's own dead stones will be removed.  Stones that the opponent could save by moving next are not dead.  A
    result is certain if it is the same whether uncertain groups live or die.

    Returns:
        None if the opponent has not passed, under area scoring, or if the result is a draw, uncertain or unknown.
    """
    state, player, before = position.state, position.to_play, position.parent
    has_passed = position.action == pass_action(state) and before is not None and before.to_play != player
    if not has_passed or not read_field(state, TERRITORY):
        return None
    try:
        lives = _lives(position, evaluator, 1 - player)
    except (Failure, LudusError):
        return None
    stones, leads = stones_of(state), list[float]()
    for limits in ((SURE, -SURE), (-SURE, SURE)):  # of the player's groups and the opponent's: the worst, the best case
        dead = [
            cell
            for group, life in lives
            if life is not None and life < limits[stones[group[0]] != player]
            for cell in group
        ]
        leads.append(turn(lead_without(state, dead), player))
    worst, best = leads
    return True if worst > 0.0 else False if best < 0.0 else None


def without_lost_pass(position: Position, evaluator: object, actions: tuple[int, ...]) -> tuple[int, ...]:
    """Return the actions to consider, without the pass if it certainly loses although searches may call it a win.

    Args:
        position: the root of the search.
        evaluator: predicts which stones are dead.
        actions: the actions to consider; empty: all legal ones.
    """
    return all_but_pass(position, actions) or actions if pass_wins(position, evaluator) is False else actions


def all_but_pass(position: Position, actions: tuple[int, ...] = ()) -> tuple[int, ...]:
    """Return the actions that searches consider, or those of `actions`, without the pass; it may be the only one."""
    game = position.game
    considered = actions or game.calls.legal(game.for_search(position.state))
    return tuple(int(action) for action in considered if action != pass_action(position.state))


def cleaning_up(position: Position, evaluator: object) -> tuple[int, ...]:
    """Return the actions that the player to move should consider to capture the opponent's dead stones.

    All considered actions except the pass; empty, which means no restriction, if there are no such stones.

    Raises:
        Failure: it is unknown which stones are dead.
    """
    stones, player = stones_of(position.state), position.to_play
    if all(stones[group[0]] == player for group in by_status(position, evaluator)["dead"]):
        return ()
    return all_but_pass(position)
