"""Interfaces of a bot engine's players and their seats, and the choice of a player for a session's game."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from concurrent.futures import Future
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ludus.errors import BadInput, LudusError
from ludus.games.game import Position
from ludus.games.registry import about
from ludus.games.registry import game as game_named
from ludus.players.thinking.thought import Thought
from ludus.protocol.bgs import SessionConfig
from ludus.protocol.spec import framed, setting_of, spec_in_play

_log = logging.getLogger(__name__)


class SessionSeat(Protocol):
    """Interface of a player's search in one game."""

    @property
    def position(self) -> Position:
        """The current position."""
        ...

    def ask(
        self, visits: int, temperature: float = 0.0, *, seconds: float = ..., explores: bool = ..., lines: int = ...
    ) -> Future[Thought]:
        """Start a search of the position; returns at once, with a future of the result."""
        ...

    def play(self, action: int) -> None:
        """Play an action of either side and keep its part of the search tree."""
        ...

    def expected_maps(self) -> NDArray[np.float32] | None:
        """Return the predicted final maps, seen by player 0 [M, H, W]; None if they cannot be predicted."""
        ...


class SessionMind(Protocol):
    """Interface of a player: a network with a search, a heuristic with a search, or the dummy."""

    @property
    def name(self) -> str:
        """The player's name."""
        ...

    @property
    def games(self) -> tuple[str, ...]:
        """Specs of the games that the player was trained on."""
        ...

    def seat(self, position: Position, *, seed: int = 0) -> SessionSeat:
        """Return a seat at a position; raises BadInput if the player cannot play it. `seed` is for random choices."""
        ...


def preferred(minds: Sequence[SessionMind], config: SessionConfig) -> SessionMind | None:
    """Return the player that `sit_down` tries first; None if no player plays the game."""
    return next((mind for _, mind in _candidates(minds, config)), None)


def sit_down(
    minds: Sequence[SessionMind], config: SessionConfig, *, seed: int = 0, edition: str = ""
) -> tuple[SessionMind, SessionSeat]:
    """Return the player of a session's game and its seat at the first position.

    The first player trained on the exact board is chosen.  Otherwise the board is played at the top left of the
    smallest frame that a player was trained on, as in training.

    Args:
        minds: the players to choose from.
        config: game, board and first position of the session.
        seed: seed of the player's random choices.
        edition: edition of the rules, for games that have several (empty: the newest).

    Raises:
        BadInput: no player plays the game, or its first position is invalid.
    """
    refusal = ""
    for spec, mind in _candidates(minds, config):
        try:
            played = game_named(spec_in_play(spec, edition))
            position = played.start(config.initial_state)
        except LudusError as error:
            raise BadInput(str(error)) from error
        try:
            seat = mind.seat(position, seed=seed)
        except BadInput as error:
            refusal = refusal or f" ({str(error).rstrip('.')})"
            continue
        if spec not in mind.games:
            _log.info("%s plays %s, although it was not trained on it.", mind.name, spec)
        return mind, seat
    known = ", ".join(spec for mind in minds for spec in mind.games)
    raise BadInput(
        f"No model here plays {config.game}, variant {config.variant}, on {config.board_width}x"
        f"{config.board_height}; they play: {known}{refusal}"
    )


def _candidates(minds: Sequence[SessionMind], config: SessionConfig) -> list[tuple[str, SessionMind]]:
    """Return the specs that fit the session's board, each with its player, the best fit first."""
    exact: list[tuple[str, SessionMind]] = []
    padded: list[tuple[int, str, SessionMind]] = []
    for mind in minds:
        for spec in mind.games:
            if _fits(spec, config):
                exact.append((spec, mind))
            elif _is_kin(spec, config):
                frame = framed(spec, config.variant, config.board_width, config.board_height)
                if frame:
                    padded.append((frame.cells, frame.spec, mind))
    return exact + [(spec, mind) for _, spec, mind in sorted(padded, key=lambda each: each[0])]


def _fits(spec: str, config: SessionConfig) -> bool:
    """Return whether a spec names the game and board of a session; a spec without a size fits any board size."""
    setting = setting_of(spec)
    if (setting.game, setting.variant) != (config.game, config.variant):
        return False
    return setting.width is None or (setting.width, setting.height) == (config.board_width, config.board_height)


def _is_kin(spec: str, config: SessionConfig) -> bool:
    """Return whether a spec names the game of a session, in a declared variant with the same planes and actions."""
    setting, told = setting_of(spec), about(spec)
    own, wanted = told.variant(setting.variant), told.variant(config.variant)
    if setting.game != config.game or own is None or wanted is None:
        return False
    return (own.plays_as or own.value) == (wanted.plays_as or wanted.value)
