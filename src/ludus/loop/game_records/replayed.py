"""Training samples from games without search results: the played move is the policy target.

The value target is the game's result, or the recorded evaluation where there is one.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from ludus.errors import BadRecord
from ludus.games.game import Game
from ludus.games.rules import DRAW, FIRST_WINS, State
from ludus.loop.game_records.pawns import fit
from ludus.store import Samples

OnFault = Callable[[str], object]
"""Called with a sentence for each fault of a record: what is left out (`left out: ...`) or doubtful, with its place."""
NO_NETWORK = -1
Kind = TypeVar("Kind", bound=np.generic)


class Replayed(msgspec.Struct, frozen=True):
    """A game that was played by other programs or people."""

    game: int
    """Index among the preset's games."""
    number: int
    """Number of the game, unique among files of different names."""
    states: list[State]
    """State before each action."""
    actions: list[int]
    outcome: int
    """Result: FIRST_WINS, SECOND_WINS or DRAW."""
    first_ply: int = 0
    """Number of actions before the first state."""
    pawns: Sequence[float | None] = ()
    """Player 0's lead in pawns in each state; None: not recorded, infinite: mate."""


def read_bytes(path: Path) -> bytes:
    """Return the contents of a game record; raises BadRecord if it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadRecord(f"{path}: cannot be read ({error.strerror or error}).") from error


def first_number(path: Path) -> int:
    """Return the start of a file's game numbers, which depends only on the file's name."""
    return zlib.crc32(os.fsencode(path.name)) << 31


def samples_of(replayed: Iterable[Replayed], games: list[Game]) -> Samples:
    """Return samples of games; the root value is the recorded evaluation, else the result.

    Args:
        replayed: the games.
        games: the preset's games, all with states of the same size.
    """
    parts: list[Samples] = []
    leads: list[NDArray[np.float64]] = []
    for each in replayed:
        if each.actions:
            parts.append(_samples(each, games))
            leads.append(np.array(each.pawns or [None] * len(each.actions), np.float64))  # None becomes NaN
    if not parts:
        return Samples.empty(games[0].state_words)
    return _judged(Samples.concatenate(parts), np.concatenate(leads))


def _judged(samples: Samples, pawns: NDArray[np.float64]) -> Samples:
    """Replace the root values of samples with recorded leads by the fitted chances."""
    known = ~np.isnan(pawns)  # [N]
    if not known.any():
        return samples
    value, drawn = samples.root_value.copy(), samples.root_draw.copy()
    chances = fit(pawns[known], samples.outcome[known], samples.game_id[known]).chances(pawns[known])  # [., 3]
    value[known], drawn[known] = chances[:, 0] - chances[:, 2], chances[:, 1]
    return replace(samples, root_value=value, root_draw=drawn)


def _samples(replayed: Replayed, games: list[Game]) -> Samples:
    count, game = len(replayed.actions), games[replayed.game]
    actions = np.array(replayed.actions, np.int16)  # [N]
    value = 0.0 if replayed.outcome == DRAW else 1.0 if replayed.outcome == FIRST_WINS else -1.0

    def constant(value: float, dtype: type[Kind]) -> NDArray[Kind]:
        return np.full(count, value, dtype)  # [N]

    return Samples(
        states=np.stack([state.view(np.uint64) for state in replayed.states]),
        game=constant(replayed.game, np.uint8),
        ply=(replayed.first_ply + np.arange(count)).astype(np.int16),
        mover=np.array([int(game.rules.to_play(state)) for state in replayed.states], np.uint8),
        action=actions,
        policy_start=np.arange(count + 1, dtype=np.int32),
        policy_action=actions.copy(),
        policy_weight=constant(1.0, np.float32),
        outcome=constant(replayed.outcome, np.uint8),
        root_value=constant(value, np.float32),
        root_draw=constant(replayed.outcome == DRAW, np.float32),
        surprise=constant(0.0, np.float32),
        weight=constant(1.0, np.float32),
        network=constant(NO_NETWORK, np.int32),
        game_id=constant(replayed.number, np.int64),
    )
